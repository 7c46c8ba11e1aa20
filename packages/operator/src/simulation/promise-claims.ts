import { labelKeys } from '@slurm-operator/api'
import { podResource, type Live, type Pod } from '@slurm-operator/kube'
import { NAMESPACE } from './objects.ts'
import type { Witness } from './witness.ts'
import { livingPods, nodeSetOf, podInPath } from './worker-pods.ts'

/** No claim goes but by its policy: with its NodeSet, or with a worker that was too many. */
export function promiseClaims(witness: Witness): void {
  const { cluster, recent, accuse } = witness
  const released = new Set<string>()
  cluster.listen({
    before: ({ method, path }) => {
      const name = method === 'DELETE' ? podInPath(path) : undefined
      const pod = name === undefined ? undefined : cluster.server.find(podResource, { namespace: NAMESPACE, name })
      if (pod !== undefined && isTooMany(witness, pod)) for (const claim of claimsOf(pod)) released.add(claim)
      return undefined
    },
  })
  cluster.server.listen(({ storage, type, object, before }) => {
    if (storage !== '/persistentvolumeclaims') return
    const isNews = before?.metadata.deletionTimestamp === undefined
    if (!isNews || (type !== 'DELETED' && object.metadata.deletionTimestamp === undefined)) return
    const { name, labels } = object.metadata
    const versions = recent.of(labels?.[labelKeys.instance] ?? '')
    const isGone = versions.some((one) => one === undefined || one.metadata.deletionTimestamp !== undefined)
    const policies = versions.map((one) => one?.spec.persistentVolumeClaimRetentionPolicy)
    if (isGone && policies.some((one) => one?.whenDeleted === 'Delete')) return
    if (!released.delete(name)) accuse(`claim ${name} was deleted though its policy keeps it`)
  })
}

function claimsOf({ spec }: Pod): string[] {
  return (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [])
}

/** Nobody will take its place: those who come get the lowest free numbers, or there is no such place any more. */
function isTooMany({ cluster, recent }: Witness, pod: Live<Pod>): boolean {
  const versions = recent.of(nodeSetOf(pod)).filter((one) => one !== undefined)
  if (!versions.some(({ spec }) => spec.persistentVolumeClaimRetentionPolicy.whenScaled === 'Delete')) return false
  const mode = pod.metadata.labels?.[labelKeys.scalingMode]
  if (mode === 'DaemonSet' || versions.some(({ spec }) => spec.scalingMode !== mode)) return true
  const others = livingPods(cluster, nodeSetOf(pod)).filter(({ metadata }) => metadata.uid !== pod.metadata.uid)
  const used = new Set(others.map(ordinalOf))
  const free = Array.from({ length: 1 + used.size + ordinalOf(pod) }, (_, at) => at).filter((at) => !used.has(at))
  return versions.some(({ spec }) => free.indexOf(ordinalOf(pod)) >= spec.replicas - used.size)
}

function ordinalOf({ metadata: { name } }: Live<Pod>): number {
  return Number(/\d+$/.exec(name)?.[0])
}
