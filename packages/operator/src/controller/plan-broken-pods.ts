import { parseTime, type StatefulSet } from '@slurm-operator/kube'
import type { Kept, KeptPod } from '../world/trim.ts'
import { lastEnd } from './last-good.ts'
import { readPodConfiguration } from './pod-configuration.ts'
import { REPAIR_CONTAINER } from './repair-script.ts'
import { hasSeenTemplate, isLeaving, isOutdated, isPodReady } from './pods.ts'

/** A pod that only a new one can replace. */
export interface BrokenPod {
  readonly pod: KeptPod
  readonly because: string
}

/** Time for the container that repairs the state, and for slurmctld, to show what they can do. */
const PATIENCE_MS = 60_000

/** What slurmctld says when it was killed before it had saved its state for the first time. */
const STATE_NOT_SAVED = /No Assoc usage file/

/** Pods to delete: a StatefulSet waits for a broken pod to become ready before it replaces it, which may be never. */
export function planBrokenPods(
  workload: Kept<StatefulSet> | undefined,
  pods: readonly KeptPod[],
  nowMs: number,
): readonly BrokenPod[] {
  if (workload === undefined || !hasSeenTemplate(workload)) return []
  const broken = pods.filter((pod) => !isLeaving(pod) && !isPodReady(pod))
  return broken.flatMap((pod) => {
    const because = whyReplace(pod, workload, nowMs)
    return because === undefined ? [] : [{ pod, because }]
  })
}

function whyReplace(pod: KeptPod, workload: Kept<StatefulSet>, nowMs: number): string | undefined {
  if (isOutdated(pod, workload)) return 'it does not become ready and has an older template'
  const [end, told] = [lastEnd(pod), readPodConfiguration(pod).told]
  if (end?.isRepeated === true && told !== undefined && end.atMs < told.atMs)
    return 'its configuration has changed since it ended, and the kubelet still waits'
  const isOld = nowMs - parseTime(pod.metadata.creationTimestamp) > PATIENCE_MS
  if (isOld && canRepair(workload) && STATE_NOT_SAVED.test(end?.message ?? ''))
    return 'its state was not saved; a new pod repairs it first'
  return undefined
}

/** A template that another operator left has no container for it: then a new pod would be as broken as this one. */
function canRepair({ spec }: Kept<StatefulSet>): boolean {
  return spec?.template.spec?.initContainers?.some(({ name }) => name === REPAIR_CONTAINER) ?? false
}
