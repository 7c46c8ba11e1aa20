/**
 * The claims of workers: their names, and who owns them. A claim belongs to nobody, to the NodeSet, or, only while its
 * worker is deleted because there are too many, to the pod; the garbage collector does the rest.
 *
 * @module
 */
import { API_GROUP_VERSION } from '@slurm-operator/api'
import { equalJson, type JsonValue, type OwnerReference } from '@slurm-operator/kube'
import type { Claim, Picture, Wanted, Worker } from './picture.ts'
import type { Missing } from './plan-scale.ts'
import type { ClaimWish } from './steps.ts'

/** A place for a worker, existing or not. */
type Place = Pick<Missing, 'ordinalText' | 'hostname'>

/** The name of a claim. An existing worker is asked for the digits in its own name: the padding may have changed. */
export function claimName(template: string, nodeSet: string, { ordinalText, hostname }: Place): string {
  return `${template}-${nodeSet}-${ordinalText ?? hostname}`
}

/** The place of an existing worker. */
export function placeOf({ mode, ordinalText, hostname }: Worker): Place {
  return { ordinalText: mode === 'StatefulSet' ? ordinalText : undefined, hostname }
}

/** The claims that a worker in this place needs. */
export function claimsFor(picture: Picture, place: Place): ClaimWish[] {
  const { wanted, claims } = picture
  return wanted.claimTemplates.map((template) => {
    const name = claimName(template, wanted.name, place)
    return { template, name, exists: claims.has(name), ownedByNodeSet: wanted.whenDeleted === 'Delete' }
  })
}

/** Why a claim cannot be used yet: it is being deleted, or will be, because the pod that owned it is gone. */
export function whyUnusable(claim: Claim | undefined, livePods: ReadonlySet<string>): string | undefined {
  if (claim === undefined) return undefined
  if (claim.terminating) return `claim ${claim.name} is being deleted`
  const owner = claim.ownerReferences.find(({ kind, controller }) => kind === 'Pod' && controller === true)
  if (owner === undefined || livePods.has(owner.uid)) return undefined
  return `claim ${claim.name} goes with the former pod ${owner.name}`
}

/** Who should own a claim. `leavesForGood`: its worker is deleted in this very plan and nobody will replace it. */
export function wantedOwner(wanted: Wanted, worker: Worker, leavesForGood: boolean): OwnerReference | undefined {
  if (leavesForGood && wanted.whenScaled === 'Delete') return reference('v1', 'Pod', worker.pod, worker.uid)
  return wanted.whenDeleted === 'Delete' ? reference(API_GROUP_VERSION, 'NodeSet', wanted.name, wanted.uid) : undefined
}

/** The owners as they should be; the same list if nothing changes; `conflict` if somebody else decides about it. */
export function arrangeOwners(
  claim: Claim,
  wanted: Wanted,
  worker: Worker,
  owner: OwnerReference | undefined,
): { readonly owners: readonly OwnerReference[]; readonly conflict: OwnerReference | undefined } {
  const current = claim.ownerReferences
  const isOurs = ({ uid }: OwnerReference): boolean => uid === wanted.uid || uid === worker.uid
  const others = current.filter((one) => !isOurs(one))
  const unchanged = { owners: current, conflict: undefined }
  if (others.some((one) => isNamesake(one, wanted, worker))) return unchanged // left over from a former life
  const conflict = others.find(({ controller }) => controller === true)
  if (conflict && wanted.whenDeleted === 'Retain' && wanted.whenScaled === 'Retain') return unchanged
  const owners = [...others, ...(owner === undefined || conflict ? [] : [owner])]
  return {
    owners: equalJson(owners as unknown as JsonValue, current as unknown as JsonValue) ? current : owners,
    conflict,
  }
}

function isNamesake({ kind, name }: OwnerReference, wanted: Wanted, worker: Worker): boolean {
  return (kind === 'NodeSet' && name === wanted.name) || (kind === 'Pod' && name === worker.pod)
}

function reference(apiVersion: string, kind: string, name: string, uid: string): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}
