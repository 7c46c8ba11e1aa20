import { setImmediate as nextTurn } from 'node:timers/promises'

/** Where time comes from. Tests and simulations give one that obeys them. */
export interface Clock {
  /** Milliseconds since 1970. It may jump when somebody sets the machine's clock. */
  readonly now: () => number
  /** Milliseconds since some moment. It never jumps: for durations and deadlines. */
  readonly monotonic: () => number
  /** Do something once, later, however much later; the answer takes it back. */
  readonly schedule: (delayMs: number, action: () => void) => () => void
  /** Let everything else that is ready go first. */
  readonly breathe: () => Promise<void>
}

/** Where chance comes from: a number from 0 up to, not including, 1. */
export type Random = () => number

const LONGEST_TIMER_MS = 2 ** 31 - 1 // setTimeout takes anything above for 1

/** The real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule: scheduleOnTimers,
  breathe: () => nextTurn(),
}

function scheduleOnTimers(delayMs: number, action: () => void): () => void {
  let left = delayMs
  let timer: NodeJS.Timeout
  const goOn = () => {
    const next = Math.min(left, LONGEST_TIMER_MS)
    left -= next
    timer = setTimeout(left > 0 ? goOn : action, next)
  }
  goOn()
  return () => clearTimeout(timer)
}

/** Wait. An aborted signal ends it early with the signal's reason. */
export async function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    })
    const giveUp = () => {
      cancel()
      reject(asError(signal?.reason))
    }
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason })
}
