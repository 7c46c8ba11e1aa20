import type { Acting } from './acting.ts'
import { mustBeInTime } from './needs-new-list.ts'
import type { Step } from './steps.ts'

/** How old the picture may be when such a step is carried out: a request before it may have taken half a minute. */
const LATE_MS = 2000

/** Whether a step rests on what Slurm said, and too much may have happened since. The next pass decides anew. */
export function isLate(step: Step, { observed, world }: Acting): boolean {
  if (!mustBeInTime(step)) return false
  const sinceMs = world.clock.now() - observed.picture.nowMs
  return sinceMs > LATE_MS || sinceMs < 0 // somebody has set the clock back
}
