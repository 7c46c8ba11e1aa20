import {
  controllerInternalServiceName,
  controllerStatefulSetName,
  type ControllerWithDefaults,
} from '@slurm-operator/api'
import { isFailure, podResource, statefulSetResource, type StatefulSet } from '@slurm-operator/kube'
import { foldingWriter, lookAgain, settled, type Outcome } from '@slurm-operator/runtime'
import { observeStatefulSet } from '../component/observe-workload.ts'
import type { RoomPass } from '../component/room.ts'
import type { Kept } from '../world/trim.ts'
import { planBrokenPods } from './plan-broken-pods.ts'

type ControllerPass = RoomPass<ControllerWithDefaults>

/** Replace pods that the StatefulSet does not replace by itself. */
export async function actBrokenPods({ object, world, pass, nowMs }: ControllerPass): Promise<Outcome> {
  const { namespace, name } = object.metadata
  const { workload, pods } = observeStatefulSet(world, { namespace, name: controllerStatefulSetName(name) })
  const writer = foldingWriter(world.client.resource(podResource), world.caches.pods)
  for (const { pod, because } of planBrokenPods(workload as Kept<StatefulSet> | undefined, pods, nowMs)) {
    const { uid, resourceVersion } = pod.metadata
    const options = { signal: pass.signal, preconditions: { uid, resourceVersion } }
    pass.log.info(`delete pod ${pod.metadata.name}`, { because })
    try {
      await writer.delete({ namespace, name: pod.metadata.name }, options)
    } catch (error) {
      if (!isFailure(error, 'NotFound', 'Conflict')) throw error // it has changed, so look again
    }
  }
  return settled
}

/**
 * Older releases gave the StatefulSet another Service, which cannot be changed. It is made anew, and its pods stay: the
 * new one takes them over.
 */
export async function actFormerStatefulSet({ object, world, pass }: ControllerPass): Promise<Outcome> {
  const { namespace, name } = object.metadata
  const key = { namespace, name: controllerStatefulSetName(name) }
  const live = world.caches.statefulSets.get(key)
  if (live === undefined || live.metadata.deletionTimestamp !== undefined) return settled
  const isOurs = live.metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid) ?? false
  if (!isOurs || live.spec?.serviceName === controllerInternalServiceName(name)) return settled
  const { uid } = live.metadata
  const writer = foldingWriter(world.client.resource(statefulSetResource), world.caches.statefulSets)
  await writer.delete(key, { signal: pass.signal, propagation: 'Orphan', preconditions: { uid } })
  return lookAgain(1)
}
