import { labelKeys, type NodeSetWithDefaults } from '@slurm-operator/api'
import type { Live, Pod } from '@slurm-operator/kube'
import type { Witness } from './witness.ts'
import { livingPods, nodeSetOf, numberOf } from './worker-pods.ts'

/** No claim goes but by its policy: with its NodeSet, or with a worker that was too many while it left, whoever sent it. */
export function promiseClaims(witness: Witness): void {
  const { cluster, recent, accuse } = witness
  const released = new Set<string>()
  cluster.server.listen(({ storage, type, object }) => {
    if (storage !== '/pods') return
    const pod = object as unknown as Live<Pod>
    const isLeaving = type === 'DELETED' || pod.metadata.deletionTimestamp !== undefined
    if (isLeaving && isTooMany(witness, pod)) for (const claim of claimsOf(pod)) released.add(claim)
  })
  cluster.server.listen(({ storage, type, object, before }) => {
    if (storage !== '/persistentvolumeclaims') return
    const isNews = before?.metadata.deletionTimestamp === undefined
    if (!isNews || (type !== 'DELETED' && object.metadata.deletionTimestamp === undefined)) return
    const { name, labels } = object.metadata
    const nodeSet = labels?.[labelKeys.instance] ?? ''
    const versions = recent.of(nodeSet)
    const isGone = versions.some((one) => one === undefined || one.metadata.deletionTimestamp !== undefined)
    const policies = versions.map((one) => one?.spec.persistentVolumeClaimRetentionPolicy)
    if (isGone && policies.some((one) => one?.whenDeleted === 'Delete')) return
    if (!released.delete(name) && !isUnwanted(witness, name, nodeSet))
      accuse(`claim ${name} was deleted though its policy keeps it`)
  })
}

function claimsOf({ spec }: Pod): string[] {
  return (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [])
}

/** Nobody will take its place: those who come get the lowest free numbers, or there is no such place any more. */
function isTooMany(witness: Witness, { metadata }: Live<Pod>): boolean {
  const nodeSet = nodeSetOf({ metadata })
  const versions = withDeletion(witness, nodeSet)
  const mode = metadata.labels?.[labelKeys.scalingMode]
  if (versions.length > 0 && (mode === 'DaemonSet' || versions.some(({ spec }) => spec.scalingMode !== mode)))
    return true
  const others = livingPods(witness.cluster, nodeSet).filter(({ metadata: { uid } }) => uid !== metadata.uid)
  return isBeyond(versions, others, numberOf(metadata.name))
}

/** It lost its pod before, and `replicas` became less before there was another one. */
function isUnwanted(witness: Witness, name: string, nodeSet: string): boolean {
  const living = livingPods(witness.cluster, nodeSet)
  if (living.some((pod) => claimsOf(pod).includes(name))) return false
  const versions = withDeletion(witness, nodeSet).filter(({ spec }) => spec.scalingMode === 'StatefulSet')
  return isBeyond(versions, living, numberOf(name))
}

/** What it has been lately, where claims go with workers that are too many. Empty: they do not. */
function withDeletion({ recent }: Witness, nodeSet: string): readonly NodeSetWithDefaults[] {
  const versions = recent.of(nodeSet).filter((one) => one !== undefined)
  const isSo = versions.some(({ spec }) => spec.persistentVolumeClaimRetentionPolicy.whenScaled === 'Delete')
  return isSo ? versions : []
}

function isBeyond(versions: readonly NodeSetWithDefaults[], others: readonly Live<Pod>[], ordinal: number): boolean {
  const used = new Set(others.map(({ metadata: { name } }) => numberOf(name)))
  const free = Array.from({ length: 1 + used.size + ordinal }, (_, at) => at).filter((at) => !used.has(at))
  return versions.some(({ spec }) => free.indexOf(ordinal) >= spec.replicas - used.size)
}
