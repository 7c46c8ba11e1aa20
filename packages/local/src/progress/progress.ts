/**
 * Telling a waiting person what happens, how far it is and how long it usually takes. One line per fact, no cursor
 * tricks: the same text is right in a terminal, in a log file and in CI.
 *
 * @module
 */
import { messageOf } from '../machine/message-of.ts'

const REMIND_EVERY_MS = 15_000

/** Where news about long work goes. */
export interface Progress {
  /** One fact. */
  say(text: string): void
  /** Do a step that may take long: says that it starts, reminds while it runs, says how long it took. */
  step<T>(name: string, usuallySeconds: number, work: () => Promise<T>): Promise<T>
  /** How far a running step is, shown with the next reminder: "310 of 1480 packages". */
  far(name: string, text: string): void
}

/** Progress as lines of text. */
export function progressTo(write: (line: string) => void): Progress {
  const far = new Map<string, string>()
  const startMs = performance.now()
  const say = (text: string) => write(`[${secondsSince(startMs).padStart(4)} s] ${text}`)
  return {
    say,
    far: (name, text) => void far.set(name, text),
    async step(name, usuallySeconds, work) {
      const stepMs = performance.now()
      say(`${name}: started${usuallySeconds >= 3 ? `, usually takes about ${spoken(usuallySeconds)}` : ''}`)
      const reminder = setInterval(() => {
        const detail = far.get(name)
        say(
          `${name}: ${detail === undefined ? 'still running' : detail}, ${spoken(Number(secondsSince(stepMs)))} so far`,
        )
      }, REMIND_EVERY_MS)
      try {
        const result = await work()
        say(`${name}: done in ${spoken((performance.now() - stepMs) / 1000)}`)
        return result
      } catch (error) {
        say(`${name}: failed after ${spoken((performance.now() - stepMs) / 1000)}: ${firstLine(error)}`)
        throw error
      } finally {
        clearInterval(reminder)
      }
    },
  }
}

/** For callers that wait in silence, such as tests on a warm cache. */
export const silentProgress: Progress = { say() {}, far() {}, step: (_name, _usually, work) => work() }

/** For callers that may have to wait: each fact as a line on standard error. */
export function progressToStderr(): Progress {
  return progressTo((line) => process.stderr.write(`${line}\n`))
}

function firstLine(error: unknown): string {
  const [line = ''] = messageOf(error).split('\n')
  return line
}

function secondsSince(ms: number): string {
  return ((performance.now() - ms) / 1000).toFixed(0)
}

function spoken(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}
