/**
 * All that can happen, in one history: what users, administrators and `kubectl drain` do, beside all faults. Where two rare
 * things meet, single kinds of histories have not looked.
 *
 * @module
 */
import { annotationKeys, YES } from '@slurm-operator/api'
import { administering } from './administering.ts'
import { drainedDeletions } from './drained-deletion.ts'
import { givingBack } from './giving-back.ts'
import type { HistoryWish } from './history.ts'
import { jobSuspending } from './job-suspending.ts'
import { nodeEmptying } from './node-emptying.ts'

/** See the module. */
export const allAtOnce: HistoryWish = {
  also: [...administering, jobSuspending, givingBack, ...drainedDeletions, nodeEmptying],
  annotations: { [annotationKeys.protectUntilDrained]: YES, [annotationKeys.drainOnDelete]: YES },
}
