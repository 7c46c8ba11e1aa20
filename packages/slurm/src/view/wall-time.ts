/**
 * The one place where times of the view become times for its users. Inside it they are of the steady clock, because
 * nothing becomes due by setting the machine's clock. Users subtract them from the machine's time of day, so after such
 * a jump an old list would seem fresh for ever, or a fresh one old. Times that Slurm tells are its own, and stay.
 *
 * Two clocks tell how long ago a list is, and as with the Lease (`LeaseGate`) whichever says more counts. A machine that
 * slept, or was restored from a snapshot, knows it only by its time of day, and Slurm's jobs went on meanwhile. So after
 * a jump forward what was listed before is old until the next list, which whoever needs one gets at once.
 *
 * For how long a record has been absent the steady clock alone counts: while we slept nobody looked.
 *
 * @module
 */
import { absent, seen, type Knowledge } from '../knowledge.ts'

/** How far the machine's time of day is ahead of the steady clock. Both are 0 until somebody sets it. */
export interface WallAhead {
  readonly nowMs: number
  /** When the newest good list was asked for. */
  readonly atListMs: number
}

/** The same knowledge for users; the very same one while nobody has set the clock. */
export function inWallTime<T>(known: Knowledge<T>, { nowMs, atListMs }: WallAhead): Knowledge<T> {
  const listMs = Math.min(nowMs, atListMs)
  switch (known.kind) {
    case 'seen':
      return listMs === 0 ? known : seen(known.value, known.atMs + listMs)
    case 'absent':
      return nowMs === 0 ? known : absent(known.sinceMs + nowMs)
    case 'unknown':
      return known
  }
}
