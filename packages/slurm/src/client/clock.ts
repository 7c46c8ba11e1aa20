/**
 * Time and chance as parameters, so that the same code runs in a simulation, faster than life and repeatable.
 *
 * @module
 */

/** Where time comes from. The clock of the whole process fits, if it has one; so does one that obeys a test. */
export interface Clock {
  /** Milliseconds since 1970. It may jump when somebody sets the machine's clock. */
  readonly now: () => number
  /** Milliseconds since some moment. It never jumps. */
  readonly monotonic: () => number
  /** Do something once, later; the answer takes it back. */
  readonly schedule: (delayMs: number, action: () => void) => () => void
}

/** Where chance comes from: a number from 0 up to, not including, 1. */
export type Random = () => number

/** `setTimeout` takes anything above for 1. */
const LONGEST_DELAY_MS = 2 ** 31 - 1

/** Real time. Its timers do not keep the process alive: polling is no reason to live. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule: (delayMs, action) => {
    const timer = setTimeout(action, Math.min(Math.max(0, delayMs), LONGEST_DELAY_MS)).unref()
    return () => clearTimeout(timer)
  },
}

/** Real chance. */
export const systemRandom: Random = () => Math.random()

/** A clock whose time of day never jumps, and what the machine's says instead. */
export interface SteadyClock extends Clock {
  /** How far the machine's time of day is ahead by now. It stays the same until somebody sets the machine's clock. */
  readonly wallAheadMs: () => number
}

/** Two clocks are not read in the same instant. Below the smallest age that anybody asks for. */
const NOISE_MS = 100

/**
 * A clock whose time of day never jumps: it is right when it is built and goes on steadily. Polls, pauses and ages are
 * measured with it, or a machine whose clock is set back by an hour would not look at Slurm for an hour.
 *
 * Its times are not for others: they compare with the machine's time of day (`wall-time.ts`).
 */
export function steadyClock(clock: Clock): SteadyClock {
  const offsetMs = clock.now() - clock.monotonic()
  const now = (): number => Math.floor(clock.monotonic() + offsetMs)
  let aheadMs = 0
  const wallAheadMs = (): number => {
    const differenceMs = clock.now() - now()
    if (Math.abs(differenceMs - aheadMs) > NOISE_MS) aheadMs = differenceMs
    return aheadMs
  }
  return { ...clock, now, wallAheadMs }
}
