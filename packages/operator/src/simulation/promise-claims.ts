import type { PersistentVolumeClaim } from '@slurm-operator/kube'
import { labelKeys } from '@slurm-operator/api'
import type { Witness } from './promises.ts'
import { livingPods } from './worker-pods.ts'

/** No claim goes but by its policy: with its NodeSet, or with a worker that was too many. */
export function promiseClaims({ cluster, recent, accuse }: Witness): void {
  cluster.server.listen(({ storage, type, object, before }) => {
    if (storage !== '/persistentvolumeclaims') return
    const isNews = before?.metadata.deletionTimestamp === undefined
    if (!isNews || (type !== 'DELETED' && object.metadata.deletionTimestamp === undefined)) return
    const { metadata } = object as unknown as PersistentVolumeClaim
    const nodeSet = metadata.labels?.[labelKeys.instance] ?? ''
    const versions = recent.of(nodeSet)
    const policies = versions.map((one) => one?.spec.persistentVolumeClaimRetentionPolicy)
    const isGone = versions.some((one) => one === undefined || one.metadata.deletionTimestamp !== undefined)
    if (isGone && policies.some((one) => one?.whenDeleted === 'Delete')) return
    const mostLiving = livingPods(cluster, nodeSet).length
    const sizes = versions.map((one) => one?.spec.replicas ?? 0)
    const wasScaled = Math.min(...sizes) < Math.max(...sizes, mostLiving) || isOfOtherMode(versions)
    if (wasScaled && policies.some((one) => one?.whenScaled === 'Delete')) return
    accuse(`claim ${metadata.name ?? ''} was deleted though its policy keeps it`)
  })
}

function isOfOtherMode(
  versions: readonly ({ readonly spec: { readonly scalingMode: string } } | undefined)[],
): boolean {
  return (
    new Set(versions.map((one) => one?.spec.scalingMode)).size > 1 || versions.at(-1)?.spec.scalingMode === 'DaemonSet'
  )
}
