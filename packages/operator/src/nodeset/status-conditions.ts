/**
 * Whether a NodeSet is as wanted, in the words of its conditions.
 *
 * @module
 */
import { conditionTypes } from '@slurm-operator/api'
import { printTime, type WantedCondition } from '@slurm-operator/kube'
import type { ObjectState } from '@slurm-operator/runtime'
import { counted } from '../reasons/counted.ts'
import { lineOf, type Reason } from '../reasons/reasons.ts'
import { NOTHING_LEADS_THERE } from '../slurm-status/judge-connection.ts'
import { hasJoined } from './picture-worker.ts'
import type { Picture } from './picture.ts'
import { isAvailable } from './plan-budget.ts'
import { whyCannotEnd } from './plan-ending.ts'
import type { Scheduled } from './plan-reservation-wish.ts'
import { livingWorkers } from './status-counters.ts'
import { describeDrift } from './status-drift.ts'
import { describeDrains, whyOutOfService } from './status-slurm-nodes.ts'
import { findUnschedulable, withSchedulerWords } from './status-unschedulable.ts'
import type { Plan, Step } from './steps.ts'

/** The worst wins: what a person must do, then what is going on, then what is waited for. */
export function stateOfNodeSet(picture: Picture, plan: Plan): ObjectState {
  const problem = plan.problems.find(({ needsPerson }) => needsPerson)
  if (problem) return { kind: 'stalled', reason: problem.reason, because: problem.because }
  if (picture.wanted.deletedAtMs !== undefined) return working('Deleting', deletionText(plan))
  if (picture.template.kind === 'impossible') {
    return { kind: 'stalled', reason: picture.template.reason, because: picture.template.problem }
  }
  return (
    withPlaces(whatGoesOn(picture, plan), picture) ??
    whyOutOfService(livingWorkers(picture), picture.nowMs) ?? {
      kind: 'ready',
      reason: 'Ready',
      because: readyText(picture, plan),
    }
  )
}

function withPlaces(state: ObjectState | undefined, picture: Picture): ObjectState | undefined {
  return state && withSchedulerWords(state, findUnschedulable(livingWorkers(picture), picture.nowMs))
}

function whatGoesOn(picture: Picture, plan: Plan): ObjectState | undefined {
  const { wanted, nowMs } = picture
  const { desired, steps, waits } = plan
  const living = livingWorkers(picture)
  const available = living.filter((worker) => isAvailable(worker, wanted.minReadySeconds, nowMs)).length
  const made = count(steps, 'create-pod')
  if (made > 0) return working('ScalingOut', counted(made, 'worker is being made', 'workers are being made'))
  const leaving = new Set(waits.map(({ worker }) => worker)).size + count(steps, 'delete-pod')
  const [wait] = waits
  if (count(steps, 'delete-pod') > 0)
    return working('Replacing', counted(leaving, 'worker leaves or waits to', 'workers leave or wait to'))
  if (wait !== undefined) {
    return { kind: 'working', reason: wait.reason, because: `${wait.worker || 'the NodeSet'}: ${wait.because}` }
  }
  if (picture.workers.length !== living.length) return working('Ending', describeEnding(picture))
  if (available < desired || living.length !== desired) {
    return working('Starting', `${available} of ${counted(desired, 'worker is', 'workers are')} available`)
  }
  const strangers = living.filter((worker) => worker.slurmNode.kind !== 'seen' && !hasJoined(worker)).length
  if (strangers === 0) return undefined
  return picture.slurmList === undefined
    ? working(
        'SlurmUnreachable',
        `Slurm does not tell whether ${counted(strangers, 'worker has', 'workers have')} joined`,
      )
    : working(
        'NotRegistered',
        counted(strangers, 'worker has not joined Slurm yet', 'workers have not joined Slurm yet'),
      )
}

function describeEnding(picture: Picture): string {
  const ending = picture.workers.filter(({ terminating }) => terminating)
  const [stuck] = ending.flatMap((worker) => whyCannotEnd(worker, picture) ?? [])
  return [counted(ending.length, 'pod is still ending', 'pods are still ending'), stuck].filter(Boolean).join('; ')
}

function count(steps: readonly Step[], what: Step['do']): number {
  return steps.filter((step) => step.do === what).length
}

function working(reason: Reason, because: string): ObjectState {
  return { kind: 'working', reason, because }
}

function readyText(picture: Picture, plan: Plan): string {
  const { type } = picture.wanted.updateStrategy
  const outdated = describeOutdated(picture, plan)
  const parts = [
    outdated || counted(plan.desired, 'worker is as wanted', 'workers are as wanted'),
    type === 'OnDelete' && plan.revisionHash !== '' ? 'a new template is used for new pods only' : '',
    describeDrains(livingWorkers(picture)),
    describeDrift(picture, plan.revisionHash),
  ]
  return parts.filter(Boolean).join('; ')
}

/** Workers that a scheduled update has not reached: they work, and nobody should take them for new ones. */
function describeOutdated(picture: Picture, plan: Plan): string {
  const { updateStrategy } = picture.wanted
  const outdated = livingWorkers(picture).filter(({ revisionHash }) => revisionHash !== plan.revisionHash).length
  if (updateStrategy.type !== 'ScheduledUpdate' || outdated === 0) return ''
  const who = `${outdated} of ${counted(plan.desired, 'worker')} ${outdated === 1 ? 'has' : 'have'} an old template`
  return `${who}; ${describeWindow(picture, plan, updateStrategy)}`
}

/** By what Slurm knows or is told now: it moves a window that repeats. */
function describeWindow({ reservation, nowMs }: Picture, { steps }: Plan, scheduled: Scheduled): string {
  const saved = steps.find((step) => step.do === 'create-reservation' || step.do === 'update-reservation')?.wish
  const window = saved ?? (reservation.kind === 'seen' ? reservation.value : undefined)
  if (window === undefined) return 'the window has passed: set another startTime to update them'
  const { startsAtMs = scheduled.startsAtMs } = window
  return startsAtMs < nowMs ? 'the window is open' : `the window begins at ${printTime(startsAtMs)}`
}

function deletionText({ waits }: Plan): string {
  const [wait] = waits
  return wait === undefined ? 'it is being deleted' : `it is being deleted: ${wait.because}`
}

/** Lines of their own: does Slurm answer, and is there a reservation. `retired` are no longer written. */
export function extraConditions(picture: Picture, plan: Plan): { conditions: WantedCondition[]; retired: string[] } {
  const reservation = reservationCondition(picture, plan)
  return {
    conditions: [slurmCondition(picture), ...(typeof reservation === 'object' ? [reservation] : [])],
    retired: reservation === 'none' ? [conditionTypes.reservationCreated] : [],
  }
}

const MEANWHILE = 'Workers are still made; those that must leave wait until Slurm says that their jobs have ended.'

function slurmCondition({ slurmList, leftovers, wanted }: Picture): WantedCondition {
  const line = { type: conditionTypes.slurmReachable, observedGeneration: wanted.generation }
  if (slurmList !== undefined) return { ...line, ...lineOf('Answers', 'Slurm answers.') }
  const why = leftovers.kind === 'unknown' ? leftovers.why : 'unreachable'
  if (why === 'no-client')
    return { ...line, ...lineOf('NoConnection', `${NOTHING_LEADS_THERE} ${MEANWHILE}`), status: 'Unknown' }
  const unreachable = { ...line, ...lineOf('SlurmUnreachable', `Slurm does not answer. ${MEANWHILE}`) }
  return why === 'not-listed-yet' ? { ...unreachable, status: 'Unknown' } : unreachable
}

function reservationCondition({ wanted, reservation }: Picture, plan: Plan): WantedCondition | 'none' | 'as-before' {
  const strategy = wanted.updateStrategy
  if (strategy.type !== 'ScheduledUpdate' || plan.desired === 0 || wanted.deletedAtMs !== undefined) return 'none'
  const line = { type: conditionTypes.reservationCreated, observedGeneration: wanted.generation }
  const start = printTime(strategy.startsAtMs)
  if (reservation.kind === 'unknown') return 'as-before'
  if (reservation.kind === 'seen' && plan.reservationStartsAtMs !== undefined) {
    return { ...line, ...lineOf('Created', `The reservation for ${start} exists.`) }
  }
  if (
    plan.reservationStartsAtMs !== strategy.startsAtMs ||
    plan.steps.some((step) => step.do === 'create-reservation')
  ) {
    return 'none'
  }
  return { ...line, ...lineOf('NotExists', `The reservation for ${start} is over.`) }
}
