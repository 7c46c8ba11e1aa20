/**
 * Orders about the state of a node rest on who drained it and why, and an administrator may have said something since the
 * last list, which is half a minute old at rest. So before such an order there is a new list.
 *
 * @module
 */
import { labelKeys } from '@slurm-operator/api'
import type { Picture, Worker } from './picture.ts'
import { readCondemned } from './plan-condemnation.ts'
import { isHeldByJobs } from './plan-release.ts'
import type { Plan, Step } from './steps.ts'

/** How old a list may be on which an order to Slurm rests. */
export const FRESH_ORDERS_MS = 2_000
/** Kubernetes writes times without their fraction. */
const WHOLE_SECOND_MS = 1000
/** How soon we ask for a list once more that did not come in time. */
const TRY_AGAIN_MS = 1000
/** Orders about the state of a node, and what follows from it. */
const stateOrders: ReadonlySet<Step['do']> = new Set<Step['do']>([
  ...(['drain', 'undrain', 'resume', 'prune-record'] as const),
  'unprotect-pod',
])

/** Whether it needs a list of the last seconds. */
function restsOnState(step: Step): boolean {
  return stateOrders.has(step.do) || (step.do === 'delete-pod' && step.drainedAs !== undefined)
}

/** All that may do harm if Slurm says something else by now. */
export function mustBeInTime({ do: what }: Step): boolean {
  return stateOrders.has(what) || what === 'delete-pod'
}

/** Whether this plan needs a newer list than the one it was made from. Without any list there are no such orders. */
export function needsNewList(
  { slurmList, nowMs, workers }: Pick<Picture, 'slurmList' | 'nowMs' | 'workers'>,
  { steps }: Pick<Plan, 'steps'>,
): boolean {
  const orders = steps.filter(restsOnState)
  if (slurmList === undefined || orders.length === 0) return false
  if (nowMs - slurmList.wholeAtMs > FRESH_ORDERS_MS) return true
  const newcomers = namesOfNewcomers(workers, slurmList.wholeAtMs)
  return orders.some((step) => newcomers.has(nodeOf(step)))
}

/**
 * Whether pods go, or may be evicted, on the word of a list of nodes, which cannot tell jobs that are suspended, and the jobs
 * were listed before: at rest, and while workers drain, Slurm is asked for its jobs less often. So it is where only the list of
 * jobs keeps a pod. Where Slurm did not answer it is asked again without us.
 */
export function needsNewJobs(
  { workers, nowMs }: Pick<Picture, 'workers' | 'nowMs'>,
  { steps }: Pick<Plan, 'steps'>,
): boolean {
  const names = new Set(steps.flatMap((step) => ('drainedAs' in step ? (step.drainedAs ?? []) : [])))
  const maySoonGo = (worker: Worker) => isLeaving(worker) && isHeldByJobs(worker, nowMs)
  return workers.some((worker) => (names.has(worker.slurmName) || maySoonGo(worker)) && hasOldJobs(worker, nowMs))
}

/** Its jobs were listed before its node, or seconds ago, or never yet. */
function hasOldJobs({ jobs, slurmNode }: Worker, nowMs: number): boolean {
  if (jobs.kind !== 'seen') return jobs.kind === 'unknown' && jobs.why === 'not-listed-yet'
  return nowMs - jobs.atMs > FRESH_ORDERS_MS || (slurmNode.kind === 'seen' && jobs.atMs < slurmNode.atMs)
}

/** Chosen to leave, or protected until it is drained. */
function isLeaving(worker: Worker): boolean {
  return readCondemned(worker) !== undefined || labelKeys.podProtect in worker.labels
}

/** The plan up to such orders: no newer list came, so they wait, and so does what follows them. */
export function withoutOrders(plan: Plan): Plan {
  const waiting = new Set<string>()
  const steps = plan.steps.filter((step) => {
    if (restsOnState(step)) waiting.add(step.chain)
    return !waiting.has(step.chain)
  })
  return { ...plan, steps, lookAgainInMs: Math.min(plan.lookAgainInMs ?? Infinity, TRY_AGAIN_MS) }
}

/** A list from before a worker was Ready speaks of the worker that had its name before. */
function namesOfNewcomers(workers: Picture['workers'], listedAtMs: number): ReadonlySet<string> {
  const isNew = ({ readySinceMs }: Picture['workers'][number]) =>
    typeof readySinceMs === 'number' && listedAtMs < readySinceMs + WHOLE_SECOND_MS
  return new Set(workers.filter(isNew).map(({ slurmName }) => slurmName))
}

/** The Slurm node that it is about; empty if there is none. */
function nodeOf(step: Step): string {
  if ('slurmName' in step) return step.slurmName
  return (step.do === 'delete-pod' ? step.drainedAs : undefined) ?? ''
}
