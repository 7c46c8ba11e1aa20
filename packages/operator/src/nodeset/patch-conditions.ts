import { printTime, type PodCondition } from '@slurm-operator/kube'
import type { StepOf } from './steps.ts'

type Change = Pick<StepOf<'set-pod-conditions'>, 'set' | 'remove'>

/** A strategic patch: conditions are merged by their type, so those of the kubelet are not touched. */
export function patchConditions(live: readonly PodCondition[], { set, remove }: Change, nowMs: number): object {
  const conditions = set.map(({ type, status, message }) => {
    const before = live.find((line) => line.type === type)
    const isSame = before?.status === status && before.lastTransitionTime !== undefined
    const lastTransitionTime = isSame ? before.lastTransitionTime : printTime(nowMs)
    return { type, status, message, lastTransitionTime }
  })
  return { conditions: [...conditions, ...remove.map((type) => ({ type, $patch: 'delete' }))] }
}
