import type { ObjectState } from '@slurm-operator/runtime'
import { stateOf } from '../reasons/reasons.ts'
import { shorten } from '../reasons/shorten.ts'
import type { Worker } from './picture.ts'

/** An autoscaler starts a Kube node when a pod wants one, and needs minutes for it: until then there is no alarm. */
const PATIENCE_MS = 5 * 60_000

/** Workers without a place. */
export interface Unschedulable {
  /** About the first of them, with the words of the scheduler. */
  readonly because: string
  /** The first has waited so long that a person should look. */
  readonly needsPerson: boolean
}

/** Workers that the scheduler finds no Kube node for; undefined if there are none. */
export function findUnschedulable(workers: readonly Worker[], nowMs: number): Unschedulable | undefined {
  const waiting = workers.flatMap((worker) => {
    const words = schedulerWords(worker)
    return words === undefined ? [] : [{ worker, words }]
  })
  const [first] = waiting.sort((one, other) => comparePods(one.worker, other.worker))
  if (first === undefined) return undefined
  const { pod, createdAtMs = nowMs } = first.worker
  const others = waiting.length === 1 ? '' : ` (and ${waiting.length - 1} more)`
  return {
    because: `pod ${pod}${others} finds no Kube node: ${first.words}`,
    needsPerson: nowMs - createdAtMs >= PATIENCE_MS,
  }
}

/** A state of the NodeSet with the words of the scheduler, if they may be why it lasts. */
export function withSchedulerWords(state: ObjectState, found: Unschedulable | undefined): ObjectState {
  if (found === undefined || state.kind !== 'working') return state
  const because = `${state.because}; ${found.because}`
  return state.reason === 'Starting' && found.needsPerson ? stateOf('Unschedulable', because) : { ...state, because }
}

function schedulerWords({ nodeName, conditions }: Worker): string | undefined {
  if (nodeName !== '') return undefined
  const line = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  return shorten(line?.message) || undefined
}

/** By number, so that it is the same one in every pass. */
function comparePods(one: Worker, other: Worker): number {
  return (one.ordinal ?? 0) - (other.ordinal ?? 0) || (one.pod < other.pod ? -1 : 1)
}
