/**
 * Administrators suspend jobs and let them go on later. Slurm calls a node idle whose only jobs are suspended, so a drained one
 * looks as if its pod could go.
 *
 * @module
 */
import { someSeconds, undoAfter, type Happening, type Stage } from './happening.ts'

/** See the module. */
export const jobSuspending: Happening = { name: 'suspend jobs', weight: 25, happen: suspendSome }

function suspendSome(stage: Stage): string | undefined {
  const { cluster, random } = stage
  const running = cluster.slurm.truth.jobs().filter(({ state }) => state === 'RUNNING')
  const chosen = running.filter(({ id }) => random.chance(0.5) && order(stage, 'suspendJob', id))
  for (const { id } of chosen) undoAfter(stage, someSeconds(stage, 5, 600), () => resume(stage, id))
  return chosen.length === 0 ? undefined : `jobs ${chosen.map(({ id }) => id).join(', ')} are suspended`
}

/** Others may use the processors meanwhile: then it waits for them. */
function resume(stage: Stage, id: number): void {
  if (stage.cluster.slurm.truth.job(id)?.state !== 'SUSPENDED') return
  if (order(stage, 'resumeJob', id)) stage.cluster.tell(`job ${id} goes on`)
  else undoAfter(stage, 10_000, () => resume(stage, id))
}

/** Whether slurmctld did it; it may be away. */
function order({ cluster }: Stage, what: 'suspendJob' | 'resumeJob', id: number): boolean {
  try {
    return cluster.slurm.orders[what](id) === undefined
  } catch {
    return false
  }
}
