/**
 * Who gets a new template now. Outdated workers that do not work are replaced at once: nothing is lost with them. The
 * others go a few at a time, or in their reservation, or when somebody deletes them.
 *
 * Two limits hold for RollingUpdate. So many may be condemned that, with those that are missing or not available
 * (outdated pods that never started do not count, they are replaced at once), no more than `maxUnavailable` are out of
 * service; a choice once made stays. And a pod that is available is deleted only if enough others are available at that
 * moment (`mayDeleteAvailable`).
 *
 * @module
 */
import { reservationName } from '@slurm-operator/api'
import { hasState } from '@slurm-operator/slurm'
import type { Picture, Worker } from './picture.ts'
import { allowedUnavailable, isAvailable, isHealthy } from './plan-budget.ts'
import { readCondemned, type Condemnation } from './plan-condemnation.ts'
import { rankForRemoval } from './rank.ts'

/** What the choice depends on. */
interface UpdateQuestion {
  readonly picture: Picture
  readonly revisionHash: string
  /** Living workers of our scaling mode that do not leave for another reason. */
  readonly staying: readonly Worker[]
  /** How many workers there could be now. */
  readonly startable: number
  /** How many of them have no living pod, or one that is replaced for another reason. */
  readonly missing: number
}

/** See the module. */
export function chooseForUpdate(question: UpdateQuestion): Condemnation[] {
  const { picture, staying, revisionHash } = question
  const strategy = picture.wanted.updateStrategy
  if (strategy.type === 'OnDelete') return []
  const outdated = staying.filter((worker) => worker.revisionHash !== revisionHash)
  const broken = outdated.filter((worker) => !isHealthy(worker))
  const healthy = outdated.filter(isHealthy)
  const chosen =
    strategy.type === 'RollingUpdate'
      ? rollingVictims(question, healthy)
      : healthy.filter((worker) => isInOurWindow(worker, picture.wanted.name))
  const event = {
    type: 'Normal',
    reason: strategy.type === 'RollingUpdate' ? 'RollingUpdate' : 'Scheduled Update',
  } as const
  return [
    ...broken.map((worker) => outdatedBecause(worker, 'it has an old template and is not ready', event)),
    ...chosen.map((worker) => outdatedBecause(worker, 'it has an old template', event)),
  ]
}

/** How many available pods may be deleted for an update now: never so many that fewer than allowed are left. */
export function mayDeleteAvailable(question: UpdateQuestion): number {
  const { picture, staying, startable } = question
  const { wanted, nowMs } = picture
  if (wanted.updateStrategy.type === 'ScheduledUpdate') return Infinity
  const available = staying.filter((worker) => isAvailable(worker, wanted.minReadySeconds, nowMs)).length
  return Math.max(0, available - (startable - allowedUnavailable(wanted, startable)))
}

function rollingVictims(question: UpdateQuestion, healthy: readonly Worker[]): Worker[] {
  const { picture, revisionHash, startable } = question
  const allowed = allowedUnavailable(picture.wanted, startable)
  const ranked = rankForRemoval(healthy, revisionHash)
  const before = ranked.filter((worker) => readCondemned(worker) !== undefined).slice(0, allowed)
  const others = ranked.filter((worker) => readCondemned(worker) === undefined)
  const budget = Math.max(0, allowed - unavailableByUpdate(question) - before.length)
  return [...before, ...others.slice(0, budget)]
}

/** Pods that are missing or on their way out, and those that have come up and are not available. */
function unavailableByUpdate({ picture, revisionHash, staying, missing }: UpdateQuestion): number {
  const { wanted, nowMs } = picture
  const unavailable = staying.filter((worker) =>
    worker.revisionHash === revisionHash
      ? !isAvailable(worker, wanted.minReadySeconds, nowMs)
      : worker.hasStarted && !isHealthy(worker),
  )
  return missing + unavailable.length
}

/** In maintenance, and in the reservation that we made for it. */
function isInOurWindow({ slurmNode }: Worker, nodeSetName: string): boolean {
  if (hasState(slurmNode, 'MAINTENANCE') !== 'yes' || slurmNode.kind !== 'seen') return false
  return slurmNode.value.reservation.split(',').includes(reservationName(nodeSetName))
}

function outdatedBecause(worker: Worker, because: string, event: NonNullable<Condemnation['event']>): Condemnation {
  return { worker, reason: 'Outdated', because, event }
}
