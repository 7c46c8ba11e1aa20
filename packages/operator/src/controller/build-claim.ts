import { controllerPodName, volumeNames, type ControllerWithDefaults, type PersistenceSpec } from '@slurm-operator/api'
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec, Volume } from '@slurm-operator/kube'
import type { Problem } from '../workload/problem.ts'

/** Where slurmctld keeps its state: in a claim that the StatefulSet makes, or in a volume of the pod. */
export type StateVolume =
  | { readonly kind: 'claim-template'; readonly template: PersistentVolumeClaim }
  | { readonly kind: 'volume'; readonly volume: Volume }

/** What the claim is to be like: everything but our own fields. */
export function claimSpecOf(persistence: PersistenceSpec): PersistentVolumeClaimSpec {
  const { enabled: _enabled, existingClaim: _existing, ...claim } = persistence
  return claim as PersistentVolumeClaimSpec
}

/** The volume that the spec asks for. */
export function buildStateVolume({ metadata, spec }: Pick<ControllerWithDefaults, 'metadata' | 'spec'>): StateVolume {
  const { persistence } = spec
  const name = volumeNames.stateSave
  if (!persistence.enabled) return { kind: 'volume', volume: { name, emptyDir: {} } }
  const { existingClaim } = persistence
  if (existingClaim) return { kind: 'volume', volume: { name, persistentVolumeClaim: { claimName: existingClaim } } }
  const template: PersistentVolumeClaim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: metadata.namespace },
    spec: claimSpecOf(persistence),
  }
  return { kind: 'claim-template', template }
}

/** Several slurmctld need a volume that all of them can write. */
export function findStateProblems(
  { metadata, spec }: ControllerWithDefaults,
  claim?: PersistentVolumeClaim,
): Problem[] {
  if (spec.ha?.enabled !== true) return []
  const { enabled, existingClaim } = spec.persistence
  const backup = controllerPodName(metadata.name, 1)
  if (!enabled || !existingClaim) {
    const problem = `must name a claim with the access mode ReadWriteMany: ${backup} reads what the primary wrote.`
    return [{ path: 'spec.persistence.existingClaim', problem }]
  }
  if (claim === undefined || claim.spec?.accessModes?.includes('ReadWriteMany') === true) return []
  const problem = `names ${existingClaim}, which lacks the access mode ReadWriteMany: ${backup} could not mount it.`
  return [{ path: 'spec.persistence.existingClaim', problem }]
}
