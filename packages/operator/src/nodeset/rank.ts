/**
 * Who leaves first: a chain of comparisons, and the first difference decides.
 *
 * A worker that was condemned before keeps its place in front of others that are as busy, so that the choice does not
 * wander from pass to pass and let new jobs start in between. Only one that has nothing to do goes before it.
 *
 * @module
 */
import { annotationKeys } from '@slurm-operator/api'
import { isBusy } from '@slurm-operator/slurm'
import type { Phase, Worker } from './picture.ts'
import { readCondemned } from './plan-condemnation.ts'
import { deadlineOf } from './plan-deadlines.ts'

/** Smaller leaves first. */
type Criterion = (worker: Worker, updateHash: string) => number

const criteria: readonly Criterion[] = [
  ({ nodeName }) => (nodeName === '' ? 0 : 1), // it has no place yet
  ({ phase }) => phaseRank(phase),
  ({ readySinceMs }) => (readySinceMs === undefined ? 0 : 1),
  deletionCost, // the user's wish
  stickiness,
  (worker) => endOfJobs(worker) ?? -Infinity, // idle first, then the one whose jobs end first
  (worker) => (isCordoned(worker) ? 0 : 1),
  ({ revisionHash }, updateHash) => (revisionHash === updateHash ? 1 : 0), // it would be replaced anyway
  ({ ordinal = -1 }) => -ordinal,
  ({ readySinceMs }) => (typeof readySinceMs === 'number' ? -readySinceMs : -Infinity),
  ({ createdAtMs }) => (createdAtMs === undefined ? -Infinity : -createdAtMs),
]

/** The workers in the order in which they leave. `updateHash` is that of the newest template. */
export function rankForRemoval(workers: readonly Worker[], updateHash: string): Worker[] {
  const keyed = workers.map((worker) => ({ worker, key: criteria.map((rank) => rank(worker, updateHash)) }))
  keyed.sort((one, other) => compareKeys(one.key, other.key) || compareText(one.worker.pod, other.worker.pod))
  return keyed.map(({ worker }) => worker)
}

/** The worker has the public cordon annotation, whoever set it. One reading for all who ask. */
export function isCordoned({ annotations }: Pick<Worker, 'annotations'>): boolean {
  return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(annotations[annotationKeys.podCordon] ?? '')
}

/** A 32-bit number without sign or zeros in front; everything else counts as 0. */
function deletionCost({ annotations }: Worker): number {
  const text = annotations[annotationKeys.podDeletionCost] ?? ''
  const cost = /^(0|-?[1-9][0-9]*)$/.test(text) ? Number(text) : 0
  return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0
}

/** Idle ones first, and of those and of the busy ones the chosen first: for scale-in before for anything else. */
function stickiness(worker: Worker): number {
  const chosen = readCondemned(worker)?.reason
  const choice = chosen === 'ScaleIn' ? 0 : 1
  if (endOfJobs(worker) === undefined) return choice
  return chosen === undefined ? 4 : 2 + choice
}

/** Slurm is asked for its jobs less often than for its nodes: a job that has just begun shows in the node alone. */
function endOfJobs(worker: Worker): number | undefined {
  return deadlineOf(worker) ?? (isBusy(worker.slurmNode) === 'yes' ? Infinity : undefined)
}

function phaseRank(phase: Phase): number {
  if (phase === 'Running') return 2
  return phase === 'Unknown' ? 1 : 0
}

function compareKeys(one: readonly number[], other: readonly number[]): number {
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? 0
    if (value !== against) return value < against ? -1 : 1
  }
  return 0
}

function compareText(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
