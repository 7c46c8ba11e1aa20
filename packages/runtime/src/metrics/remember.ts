import type { Clock } from '@slurm-operator/kube'

/** A question whose answer stays good for a while; how long may depend on the answer. */
export interface Remembered<T> {
  readonly ask: (key: string, find: () => Promise<T>) => Promise<T>
}

interface Entry<T> {
  readonly answer: Promise<T>
  untilMs: number
}

const MOST_ENTRIES = 1000

/** Remember answers. The same question asked twice at once is asked once; a failure is not remembered. */
export function rememberAnswers<T>(clock: Clock, goodForMs: (answer: T) => number): Remembered<T> {
  const entries = new Map<string, Entry<T>>()
  const forgetOldest = () => {
    const [oldest] = entries.keys()
    if (entries.size > MOST_ENTRIES && oldest !== undefined) entries.delete(oldest)
  }
  return {
    ask: async (key, find) => {
      const known = entries.get(key)
      if (known !== undefined && clock.monotonic() < known.untilMs) return known.answer
      const entry: Entry<T> = { answer: find(), untilMs: Infinity }
      entries.delete(key)
      entries.set(key, entry)
      forgetOldest()
      try {
        const answer = await entry.answer
        entry.untilMs = clock.monotonic() + goodForMs(answer)
        return answer
      } catch (error) {
        if (entries.get(key) === entry) entries.delete(key)
        throw error
      }
    },
  }
}
