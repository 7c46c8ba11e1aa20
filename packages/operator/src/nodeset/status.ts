/**
 * What a pass says about its NodeSet: all counters, who waits for what, and the conditions. Pure; whoever writes it
 * writes it on change only (`StatusWriter`).
 *
 * @module
 */
import { reservationName, selectorLabels } from '@slurm-operator/api'
import { printDuration, printTime, type WantedCondition } from '@slurm-operator/kube'
import { buildConditions, type ObjectState } from '@slurm-operator/runtime'
import type { Picture } from './picture.ts'
import { extraConditions, stateOfNodeSet } from './status-conditions.ts'
import { countPods, countSlurmNodes } from './status-counters.ts'
import { pinsOf } from './status-pins.ts'
import { describeWaits } from './status-waits.ts'
import type { Plan, Step } from './steps.ts'

/** As the status writer of the runtime takes it, and the overall state for an Event. */
export interface NodeSetStatusWish {
  /** A field that is undefined is taken away. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly conditions: readonly WantedCondition[]
  readonly retired: readonly string[]
  readonly state: ObjectState
}

const NANOSECONDS_PER_MINUTE = 60_000_000_000n

/** See the module. `failure`: what went wrong when the plan was carried out, for people; it never hides the counters. */
export function buildNodeSetStatus(picture: Picture, plan: Plan, failure?: string): NodeSetStatusWish {
  const { wanted, before } = picture
  const planned = stateOfNodeSet(picture, plan)
  const state: ObjectState =
    failure === undefined || planned.kind === 'stalled'
      ? planned
      : { kind: 'working', reason: 'StepFailed', because: failure }
  const extra = extraConditions(picture, plan)
  const isFirst = !before.conditions.some(({ type }) => type === 'Ready')
  const { slurmNodes, ...counters } = countSlurmNodes(picture)
  return {
    fields: {
      ...countPods(picture, plan),
      ...counters,
      ...(slurmNodes !== undefined && { slurmNodes }), // left as it is while Slurm is silent
      nodeSetHash: plan.revisionHash,
      collisionCount: plan.collisionCount,
      ordinalToNode: pinsOf(picture),
      selector: selectorText(wanted.name),
      waitingReplicas: new Set(plan.waits.map(({ worker }) => worker).filter(Boolean)).size,
      waiting: describeWaits(picture, plan.waits),
      reservation: describeReservation(picture, startToRemember(picture, plan, failure)),
    },
    conditions: [...buildConditions(state, { generation: wanted.generation, isFirst }), ...extra.conditions],
    retired: extra.retired,
    state,
  }
}

/** The labels of the pods in the order that autoscalers have always seen. */
function selectorText(name: string): string {
  return Object.entries(selectorLabels('worker', name))
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',')
}

/**
 * What the reservation was made for. If a step has failed, of whatever kind, Slurm's word counts, for the picture is from
 * after the steps: one that could not be made must not be taken for one that is over, and one that was made must not be
 * forgotten because of a worker that has nothing to do with it.
 */
function startToRemember(picture: Picture, plan: Plan, failure: string | undefined): number | undefined {
  const isAsPlanned = failure === undefined || plan.steps.every((step) => hasHappened(step, picture))
  return isAsPlanned ? plan.reservationStartsAtMs : picture.before.reservationStartsAtMs
}

/** What a step wants of the reservation is so. Others may have failed: they change nothing about it. */
function hasHappened(step: Step, { reservation }: Picture): boolean {
  switch (step.do) {
    case 'create-reservation':
    case 'update-reservation':
      return reservation.kind === 'seen' && reservation.value.startsAtMs === step.wish.startsAtMs
    case 'delete-reservation':
      return reservation.kind === 'absent'
    default:
      return true
  }
}

function describeReservation({ wanted }: Picture, startsAtMs: number | undefined): object | undefined {
  if (startsAtMs === undefined || wanted.updateStrategy.type !== 'ScheduledUpdate') return undefined
  const { durationInMinutes } = wanted.updateStrategy
  return {
    name: reservationName(wanted.name),
    startTime: printTime(startsAtMs),
    duration: printDuration(BigInt(durationInMinutes) * NANOSECONDS_PER_MINUTE),
  }
}
