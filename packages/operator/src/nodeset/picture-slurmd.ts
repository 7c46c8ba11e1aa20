/**
 * Which slurmd a record in Slurm is about: the one in this pod, or one that ran before it.
 *
 * @module
 */
import { isIP } from 'node:net'
import { podStateCondition } from '@slurm-operator/api'
import { hasState, isDefunctCandidate } from '@slurm-operator/slurm'
import type { Worker } from './picture.ts'

/** Runtimes note the start of a container when it has already begun, and the machine's clock may be set meanwhile. */
const ROUGHLY_MS = 10_000
const SILENT_CONDITION = podStateCondition('NotResponding')

/**
 * Whether Slurm's record is that of the slurmd that runs in this pod now, or of one before it; undefined: nobody can say.
 * The times are of the machine where slurmd runs, so other clocks do not matter. A slurmctld that has just begun does not
 * know them: it saves the addresses only.
 */
function isOfThisSlurmd({ slurmNode, runningSinceMs, podIp }: Worker): boolean | undefined {
  if (slurmNode.kind !== 'seen') return undefined
  const { slurmdStartedAtMs, address } = slurmNode.value
  if (slurmdStartedAtMs !== undefined && runningSinceMs !== undefined)
    return slurmdStartedAtMs >= runningSinceMs - ROUGHLY_MS
  const areAlike = isIP(address) !== 0 && isIP(address) === isIP(podIp) // a name, or the other family, tells nothing
  return areAlike ? address === podIp : undefined
}

/** Whether Slurm's record is surely of a slurmd that ran before this pod was made. Machines need not agree on the time. */
export function isFromBeforePod({ slurmNode, createdAtMs }: Worker): boolean {
  if (slurmNode.kind !== 'seen' || createdAtMs === undefined) return false
  const { slurmdStartedAtMs } = slurmNode.value
  return slurmdStartedAtMs !== undefined && slurmdStartedAtMs < createdAtMs - ROUGHLY_MS
}

/** Slurm calls a node silent that was put DOWN, and seldom asks it again; but the slurmd in this pod had joined. */
export function hasThisSlurmd(worker: Worker): boolean {
  return hasState(worker.slurmNode, 'NOT_RESPONDING') === 'no' || isOfThisSlurmd(worker) === true
}

/** Since when Slurm does not list the slurmd in this pod: not at all, or only one before it. Undefined: it does, or we do not know. */
export function unlistedSinceMs(worker: Worker): number | undefined {
  const { slurmNode } = worker
  return slurmNode.kind === 'absent' ? slurmNode.sinceMs : formerRecordSinceMs(worker)
}

/**
 * Since when all that Slurm has is the record of a slurmd that ran before the one in this pod, DOWN and silent: a
 * slurmctld that lost its latest state remembers those. Undefined: it is not so, or not for long enough to be noted.
 * Slurm's word about such a record is no word about this pod.
 */
function formerRecordSinceMs(worker: Worker): number | undefined {
  const { slurmNode, conditions } = worker
  if (isDefunctCandidate(slurmNode) !== 'yes' || isOfThisSlurmd(worker) !== false) return undefined
  return conditions.find(({ type }) => type === SILENT_CONDITION)?.sinceMs
}
