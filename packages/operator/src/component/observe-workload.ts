import {
  printSelector,
  readLabelSelector,
  type Deployment,
  type ObjectKey,
  type StatefulSet,
} from '@slurm-operator/kube'
import { labelKeys, type Labels } from '@slurm-operator/api'
import { instanceText } from '../world/indexes.ts'
import type { Kept } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import type { WorkloadFacts } from './judge-workload.ts'

/** A Deployment with its pods and their claims, from the caches. */
export function observeDeployment(world: World, key: ObjectKey): WorkloadFacts {
  return observeWorkload(world, world.caches.deployments.get(key), key)
}

/** The same for a StatefulSet. */
export function observeStatefulSet(world: World, key: ObjectKey): WorkloadFacts {
  return observeWorkload(world, world.caches.statefulSets.get(key), key)
}

function observeWorkload(
  { caches }: World,
  workload: Kept<Deployment> | Kept<StatefulSet> | undefined,
  { namespace = '' }: ObjectKey,
): WorkloadFacts {
  const labels = workload?.spec?.selector.matchLabels ?? {}
  const text = instanceText(namespace, labels[labelKeys.app] ?? '', labels[labelKeys.instance] ?? '')
  const pods = workload === undefined ? [] : caches.pods.by('instance', text)
  const names = pods.flatMap(({ spec }) =>
    (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []),
  )
  const claims = [...new Set(names)].flatMap((name) => caches.claims.get({ namespace, name }) ?? [])
  return { workload, pods, claims }
}

/** The status fields of kinds with replicas. */
export function replicaFields({ workload }: WorkloadFacts, labels: Labels): Readonly<Record<string, unknown>> {
  return {
    replicas: workload?.status?.replicas ?? 0,
    readyReplicas: workload?.status?.readyReplicas ?? 0,
    selector: printSelector(readLabelSelector({ matchLabels: labels })),
  }
}
