import type { Picture } from './picture.ts'
import { isAvailable, isHealthy } from './plan-budget.ts'
import { isActive } from './plan-reservation-wish.ts'
import type { Plan, Wait } from './steps.ts'

/** At rest we look as often as this, whatever wakes us in between. */
const POLL_MS = 30_000
const LOOK_FOR_JOINING_MS = 10_000
const NEWCOMER_MS = 2 * 60_000
/** How long slurmctld may need to put the nodes of a reservation into maintenance. */
const OPENING_MS = 60_000
const LOOK_FOR_OPENING_MS = 2000

/** What a worker waits for that the next list of Slurm nodes may tell. */
const SLURM_WILL_TELL: ReadonlySet<string> = new Set(['NotDrained', 'SlurmSilent', 'MayBeJoining'])

/** When to look again: the earliest wish wins. Slurm is asked to hurry only for what it can tell any moment. */
export function planLooks(
  picture: Picture,
  waits: readonly Wait[],
  revisionHash: string,
): Pick<Plan, 'lookAgainInMs' | 'hurrySlurm'> {
  const window = lookForWindow(picture, revisionHash)
  const isJoining = picture.workers.some(({ terminating, slurmNode }) => !terminating && slurmNode.kind !== 'seen')
  const wishes = [
    ...waits.map(({ lookAgainInMs }) => lookAgainInMs),
    ...availabilityWishes(picture),
    ...(isJoining ? [LOOK_FOR_JOINING_MS] : []),
    ...window.wishes,
  ]
  const hurrySlurm =
    window.isOpening || waits.some(({ reason }) => SLURM_WILL_TELL.has(reason)) || hasNewcomers(picture)
  return { lookAgainInMs: wishes.reduce((earliest, wish) => Math.min(earliest, wish), POLL_MS), hurrySlurm }
}

/** A scheduled update begins when the window of its reservation opens and Slurm says so of the nodes. */
function lookForWindow(
  { wanted, workers, reservation, nowMs }: Picture,
  revisionHash: string,
): { readonly wishes: readonly number[]; readonly isOpening: boolean } {
  const { updateStrategy } = wanted
  const isOutdated = workers.some((worker) => worker.revisionHash !== revisionHash)
  if (updateStrategy.type !== 'ScheduledUpdate' || !isOutdated) return { wishes: [], isOpening: false }
  const known = reservation.kind === 'seen' ? reservation.value : undefined
  const { startsAtMs = Infinity } = known ?? updateStrategy
  if (startsAtMs >= nowMs) return { wishes: [startsAtMs - nowMs + 1], isOpening: false }
  const isOpening = known !== undefined && isActive(known, nowMs) && nowMs - startsAtMs < OPENING_MS
  return { wishes: isOpening ? [LOOK_FOR_OPENING_MS] : [], isOpening }
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
