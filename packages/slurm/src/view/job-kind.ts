import { ask, seen } from '../knowledge.ts'
import type { SlurmJob } from '../model/job.ts'
import { isFinished } from '../states/job-states.ts'
import { sameFieldsBut } from './same-fields.ts'
import type { RecordKind } from './sightings.ts'

/** Slurm jobs: those that have ended are forgotten by Slurm after some minutes. */
export const jobKind: RecordKind<SlurmJob> = {
  nameOf: ({ id }) => String(id),
  isSame: sameFieldsBut<SlurmJob>('priority'), // recomputed by the scheduler all the time, and no loop's business
  isLasting: (job) => isFinished(seen(job, 0)) !== 'yes',
}

/** Is it being cleaned up, so that its nodes are free in a moment? */
export function isJobInMotion(job: SlurmJob): boolean {
  return ask(seen(job, 0), ({ states }) => states.includes('COMPLETING') || states.includes('CONFIGURING')) === 'yes'
}
