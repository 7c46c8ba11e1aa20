/**
 * Time that obeys. It stands still until somebody moves it, and then everything that was due on the way happens at its
 * moment, in one order that is always the same. Months pass in an instant.
 *
 * Between two moments all promises that are ready run to their end, so a program under test cannot tell the difference
 * from real time, as long as it waits for nothing but this clock and things in the same process.
 *
 * @module
 */
import type { Clock } from '@slurm-operator/kube'
import { Timeline } from './timeline.ts'

/** A clock, and the hands that move it. */
export interface VirtualClock extends Clock {
  /** Let time pass; whatever is due happens on the way. */
  readonly advance: (byMs: number) => Promise<void>
  /** Go to the next moment at which something is due. False if nothing ever will be. */
  readonly advanceToNext: () => Promise<boolean>
  /** Go from moment to moment until the condition holds; throws if it does not within the time. */
  readonly advanceUntil: (what: string, condition: () => boolean, withinMs: number) => Promise<void>
  /** Go from moment to moment until the promise is settled, and return what it gives. */
  readonly drive: <T>(promise: Promise<T>, withinMs?: number) => Promise<T>
  /** Somebody sets the machine's clock: `now` jumps, `monotonic` does not, and nothing becomes due by it. */
  readonly jumpWallClock: (byMs: number) => void
  /** Let everything that is ready run, without any time passing. */
  readonly settle: () => Promise<void>
  /** How long until something is due. */
  readonly nextInMs: () => number | undefined
}

/** Where a virtual clock begins. */
export interface VirtualClockOptions {
  /** The wall clock at the start, in milliseconds since 1970. */
  readonly startMs?: number
}

const DEFAULT_START_MS = Date.parse('2030-01-01T00:00:00Z')
const MOST_TURNS = 100_000 // more without any time passing is a loop that never ends
const YEAR_MS = 366 * 24 * 3600 * 1000

/** A clock that stands still at a given time. */
export function createVirtualClock({ startMs = DEFAULT_START_MS }: VirtualClockOptions = {}): VirtualClock {
  const timeline = new Timeline()
  const breath = createBreath()
  let elapsedMs = 0
  let wallStartMs = startMs
  let happenedNow = 0

  const happenNext = async (limitMs: number): Promise<boolean> => {
    const next = timeline.peek()
    if (next === undefined || next.atMs > limitMs) return false
    timeline.take()
    happenedNow = next.atMs > elapsedMs ? 0 : happenedNow + 1
    if (happenedNow > MOST_TURNS)
      throw new Error('Cannot move the clock: things become due again and again at the same moment.')
    elapsedMs = Math.max(elapsedMs, next.atMs)
    next.action()
    await breath.settle()
    return true
  }

  const advanceUntil = async (what: string, condition: () => boolean, withinMs: number) => {
    const limitMs = elapsedMs + withinMs
    await breath.settle()
    while (!condition()) {
      if (await happenNext(limitMs)) continue
      if (!condition())
        throw new Error(`Waited in vain for ${what}: ${withinMs} ms of virtual time, or nothing left to happen.`)
    }
  }

  return {
    now: () => wallStartMs + elapsedMs,
    monotonic: () => elapsedMs,
    schedule: (delayMs, action) => timeline.add(elapsedMs + Math.max(0, delayMs), action),
    breathe: breath.take,
    settle: breath.settle,
    jumpWallClock: (byMs) => (wallStartMs += byMs),
    nextInMs: () => {
      const next = timeline.peek()
      return next && Math.max(0, next.atMs - elapsedMs)
    },
    advanceUntil,
    drive: async (promise, withinMs = YEAR_MS) => {
      let isSettled = false
      const settled = () => (isSettled = true)
      promise.then(settled, settled)
      await advanceUntil('a promise to be settled', () => isSettled, withinMs)
      return promise
    },
    advanceToNext: async () => {
      await breath.settle()
      return happenNext(Infinity)
    },
    advance: async (byMs) => {
      const targetMs = elapsedMs + byMs
      await breath.settle()
      while (await happenNext(targetMs));
      elapsedMs = targetMs
    },
  }
}

/** One turn of the event loop: when it is over, every promise that was ready has run. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Turns, and who waits for one: a world is at rest when nobody does. */
function createBreath() {
  let waiting = 0
  return {
    take: async () => {
      waiting++
      await nextTurn()
      waiting--
    },
    settle: async () => {
      for (let turns = 0; turns < MOST_TURNS; turns++) {
        await nextTurn()
        if (waiting === 0) return
      }
      throw new Error('Cannot settle: something breathes on and on without waiting for any time.')
    },
  }
}
