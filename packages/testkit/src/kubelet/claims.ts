/**
 * Volumes: every claim is bound after a while, and stays as long as a pod uses it.
 *
 * @module
 */
import { persistentVolumeClaimResource, podResource, type PersistentVolumeClaim, type Pod } from '@slurm-operator/kube'
import { later, type Parts } from './parts.ts'

const PROTECTION = 'kubernetes.io/pvc-protection'

type AnyClaim = Pick<PersistentVolumeClaim, 'metadata' | 'status'>

/** A claim is new or has changed. */
export function careForClaim(parts: Parts, claim: AnyClaim): void {
  if (claim.metadata.deletionTimestamp !== undefined) letGo(parts, claim)
  else if (claim.status?.phase !== 'Bound') bindLater(parts, claim)
}

/** A pod is gone: its claims may go. */
export function letClaimsGo(parts: Parts): void {
  for (const claim of parts.server.all(persistentVolumeClaimResource)) {
    if (claim.metadata.deletionTimestamp !== undefined) letGo(parts, claim)
  }
}

/** Are all volumes of a pod there? */
export function hasItsVolumes({ server }: Parts, pod: Pod): boolean {
  return claimNamesOf(pod).every((name) => {
    const claim = server.find(persistentVolumeClaimResource, { name, namespace: pod.metadata.namespace })
    return claim?.status?.phase === 'Bound'
  })
}

function claimNamesOf({ spec }: Pod): string[] {
  return (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [])
}

function bindLater(parts: Parts, { metadata: { name = '', namespace } }: AnyClaim): void {
  const claims = parts.client.resource(persistentVolumeClaimResource)
  later(parts, parts.pace.bindingClaims, async () => {
    const present = parts.server.find(persistentVolumeClaimResource, { name, namespace })
    if (present === undefined || present.status?.phase === 'Bound') return
    const finalizers = [...new Set([...(present.metadata.finalizers ?? []), PROTECTION])]
    await claims.patch({ name, namespace }, { type: 'merge', body: { metadata: { finalizers } } })
    await claims.status.patch({ name, namespace }, { type: 'merge', body: { status: { phase: 'Bound' } } })
  })
}

function letGo(parts: Parts, { metadata: { name = '', namespace, finalizers = [] } }: AnyClaim): void {
  const isUsed = parts.server
    .all(podResource)
    .some((pod) => pod.metadata.namespace === namespace && claimNamesOf(pod).includes(name))
  if (isUsed || !finalizers.includes(PROTECTION)) return
  later(parts, parts.pace.bindingClaims, () =>
    parts.client
      .resource(persistentVolumeClaimResource)
      .patch(
        { name, namespace },
        { type: 'merge', body: { metadata: { finalizers: finalizers.filter((one) => one !== PROTECTION) } } },
      ),
  )
}
