import { finiteOf, readBounded, type Bounded } from './no-value.ts'

/** The last instant a Date can hold. */
const LAST_MS = 8.64e15

/** An instant of Slurm's in milliseconds. Slurm writes 0 for "never", which is undefined here. */
export function readTimeMs(raw: unknown): number | undefined {
  const seconds = finiteOf(readBounded(raw, 64))
  if (seconds === undefined || seconds <= 0 || seconds * 1000 > LAST_MS) return undefined
  return seconds * 1000
}

/** An instant for a request: whole epoch seconds, rounded down. */
export function writeTime(ms: number): { set: boolean; infinite: boolean; number: number } {
  return { set: true, infinite: false, number: Math.floor(ms / 1000) }
}

/** When a job must end at the latest. A limit that is infinite or not told never ends it. */
export function deadlineMs(startedAtMs: number | undefined, limitInMinutes: Bounded): number | 'never' | undefined {
  if (startedAtMs === undefined) return undefined
  const minutes = finiteOf(limitInMinutes)
  return minutes === undefined ? 'never' : startedAtMs + minutes * 60_000
}
