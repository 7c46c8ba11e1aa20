import { conditionTypes, type PersistenceSpec } from '@slurm-operator/api'
import { compareQuantities, parseQuantity, type PersistentVolumeClaim } from '@slurm-operator/kube'
import type { Kept } from '../world/trim.ts'
import { claimSpecOf } from './build-claim.ts'

/** The condition that says whether the claim with the state is as the spec wants it. */
export const CLAIM_CURRENT = conditionTypes.claimCurrent

/** What is to be done about a claim that exists, since its template cannot be changed any more. */
export type ClaimPlan =
  | { readonly do: 'nothing' }
  | { readonly do: 'grow'; readonly to: string }
  /** Nothing can be done: a person must know. */
  | { readonly do: 'tell'; readonly because: string }

/** Compare what is wanted with what there is. */
export function planClaim(persistence: PersistenceSpec, claim: Kept<PersistentVolumeClaim> | undefined): ClaimPlan {
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return { do: 'nothing' }
  const { name } = claim.metadata
  const fixed = findFixed(persistence, claim)
  if (fixed !== undefined) return { do: 'tell', because: `Claim ${name} ${fixed}` }
  const wanted = claimSpecOf(persistence).resources?.requests?.['storage'] ?? ''
  const asked = claim.spec?.resources?.requests?.['storage'] ?? ''
  if (wanted === '' || asked === '') return { do: 'nothing' }
  switch (compareQuantities(parseQuantity(wanted), parseQuantity(asked))) {
    case 0:
      return { do: 'nothing' }
    case 1:
      return { do: 'grow', to: wanted }
    case -1: {
      const because = `Claim ${name} has ${asked} and cannot shrink to ${wanted}. Set spec.persistence.resources back.`
      return { do: 'tell', because }
    }
  }
}

/** What nobody can change in a claim that exists. */
function findFixed(wanted: PersistenceSpec, { spec }: Kept<PersistentVolumeClaim>): string | undefined {
  const { storageClassName, accessModes } = wanted
  if (
    storageClassName !== undefined &&
    spec?.storageClassName !== undefined &&
    storageClassName !== spec.storageClassName
  )
    return `has the StorageClass ${spec.storageClassName}, which cannot be changed to ${storageClassName}. Set spec.persistence.storageClassName back, or move the data to another claim and name it in existingClaim.`
  const modes = [...(accessModes ?? [])].sort().join(', ')
  const has = [...(spec?.accessModes ?? [])].sort().join(', ')
  if (modes !== '' && has !== '' && modes !== has)
    return `has the access modes ${has}, which cannot be changed to ${modes}. Set spec.persistence.accessModes back.`
  return undefined
}
