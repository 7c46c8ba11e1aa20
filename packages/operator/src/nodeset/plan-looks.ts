import type { Picture } from './picture.ts'
import { isAvailable, isHealthy } from './plan-budget.ts'
import type { Plan, Wait } from './steps.ts'

/** At rest we look as often as this, whatever wakes us in between. */
const POLL_MS = 30_000
const LOOK_FOR_JOINING_MS = 10_000
const NEWCOMER_MS = 2 * 60_000

/** What a worker waits for that the next list of Slurm nodes may tell. */
const SLURM_WILL_TELL: ReadonlySet<string> = new Set(['NotDrained', 'SlurmSilent', 'MayBeJoining'])

/** When to look again: the earliest wish wins. Slurm is asked to hurry only for what it can tell any moment. */
export function planLooks(picture: Picture, waits: readonly Wait[]): Pick<Plan, 'lookAgainInMs' | 'hurrySlurm'> {
  const isJoining = picture.workers.some(({ terminating, slurmNode }) => !terminating && slurmNode.kind !== 'seen')
  const wishes = [
    ...waits.map(({ lookAgainInMs }) => lookAgainInMs),
    ...availabilityWishes(picture),
    ...(isJoining ? [LOOK_FOR_JOINING_MS] : []),
  ]
  const hurrySlurm = waits.some(({ reason }) => SLURM_WILL_TELL.has(reason)) || hasNewcomers(picture)
  return { lookAgainInMs: wishes.reduce((earliest, wish) => Math.min(earliest, wish), POLL_MS), hurrySlurm }
}

/** A slurmd that has just started registers within seconds. */
function hasNewcomers({ workers, nowMs }: Picture): boolean {
  return workers.some(
    ({ slurmNode, runningSinceMs }) =>
      slurmNode.kind === 'absent' && runningSinceMs !== undefined && nowMs - runningSinceMs < NEWCOMER_MS,
  )
}

/** When workers that are ready become available. */
function availabilityWishes({ workers, wanted, nowMs }: Picture): number[] {
  return workers.flatMap((worker) => {
    const { readySinceMs } = worker
    if (!isHealthy(worker) || isAvailable(worker, wanted.minReadySeconds, nowMs)) return []
    if (typeof readySinceMs !== 'number') return []
    return [Math.max(1000, readySinceMs + wanted.minReadySeconds * 1000 - nowMs)]
  })
}
