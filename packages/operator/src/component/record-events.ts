import type { Condition, KubeObject } from '@slurm-operator/kube'
import type { ChildResult, Happening, ObjectState, RecordEvent } from '@slurm-operator/runtime'
import type { Reason } from '../reasons/reasons.ts'
import type { Kept } from '../world/trim.ts'
import type { Obstacle } from './room.ts'

type Told = Pick<Happening, 'type' | 'reason' | 'action' | 'note'>

/** An Event for every child that was made or deleted, or that could not be written. */
export function recordResults<T extends KubeObject>(
  record: RecordEvent,
  regarding: Kept<T>,
  results: readonly ChildResult[],
): void {
  for (const result of results) {
    const told = describeResult(result)
    if (told !== undefined) record({ regarding, ...told })
  }
}

function describeResult(result: ChildResult): Told | undefined {
  const { step } = result
  const what = `${step.resource.kind} ${step.key.name}`
  const action = step.do === 'create' ? 'Create' : step.do === 'delete' ? 'Delete' : 'Patch'
  if (result.kind === 'done') {
    if (step.do === 'apply') return undefined
    const note = step.do === 'create' ? `Created ${what}.` : `Deleted ${what}: ${step.because}.`
    return { type: 'Normal', reason: `${action}Succeeded`, action, note }
  }
  if (result.kind !== 'failed' && result.kind !== 'invalid' && result.kind !== 'immutable') return undefined
  return { type: 'Warning', reason: `${action}Failed`, action, note: `${what}: ${result.error.message}` }
}

/** Kubernetes itself writes Events about these, on the pod: a pass of ours has not failed. */
const toldByKubernetes: ReadonlySet<string> = new Set<Reason>([
  'ImageCannotBePulled',
  'ContainerCrashes',
  'Unschedulable',
  'ClaimPending',
])

/** An Event when an object has become stalled, or is stalled for another reason. */
export function recordState<T extends KubeObject>(
  record: RecordEvent,
  before: Kept<T>,
  state: ObjectState,
  obstacles: readonly Obstacle[],
): void {
  if (state.kind !== 'stalled' || readyReason(before) === state.reason || toldByKubernetes.has(state.reason)) return
  record({
    regarding: before,
    type: 'Warning',
    reason: obstacles[0]?.event ?? 'SyncFailed',
    action: 'Sync',
    note: `${state.reason}: ${state.because}`,
  })
}

function readyReason(object: KubeObject): string | undefined {
  const { status } = object as { readonly status?: { readonly conditions?: readonly Condition[] } }
  return status?.conditions?.find(({ type }) => type === 'Ready')?.reason
}
