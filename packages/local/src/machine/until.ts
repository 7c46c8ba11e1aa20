import { setTimeout as sleep } from 'node:timers/promises'

/** When to give up, and how often to look. */
export interface UntilOptions {
  readonly timeoutMs: number
  readonly everyMs?: number
  /** Ends the wait early with an error: usually because the process that should get ready has died. */
  readonly giveUpWhen?: () => string | undefined
}

/**
 * Look until `find` returns something, and return that. A throwing `find` counts as "not yet"; its last error is part
 * of the final one, so that a time-out says what was in the way.
 */
export async function until<T>(
  what: string,
  find: () => T | undefined | Promise<T | undefined>,
  options: UntilOptions,
): Promise<T> {
  const endMs = performance.now() + options.timeoutMs
  let inTheWay: unknown
  for (;;) {
    try {
      const found = await find()
      if (found !== undefined) return found
      inTheWay = undefined
    } catch (error) {
      inTheWay = error
    }
    const hopeless = options.giveUpWhen?.()
    if (hopeless !== undefined) throw new Error(`Cannot wait for ${what} any longer: ${hopeless}`, { cause: inTheWay })
    if (performance.now() > endMs) throw new Error(timeoutText(what, options, inTheWay), { cause: inTheWay })
    await sleep(options.everyMs ?? 50)
  }
}

/** The same for a condition: wait until it holds. */
export async function untilTrue(
  what: string,
  holds: () => boolean | Promise<boolean>,
  options: UntilOptions,
): Promise<void> {
  await until(what, async () => ((await holds()) ? true : undefined), options)
}

function timeoutText(what: string, { timeoutMs }: UntilOptions, inTheWay: unknown): string {
  const last = inTheWay instanceof Error ? `; the last try said: ${inTheWay.message}` : ''
  return `Gave up waiting for ${what} after ${Math.round(timeoutMs / 1000)} s${last}`
}
