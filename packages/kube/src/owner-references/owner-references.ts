/**
 * Who owns an object. Owners are told apart by UID: an owner of the same name that was deleted and made again is a
 * stranger.
 *
 * @module
 */

/** As it stands in `metadata.ownerReferences`. */
export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

/** What an object must tell about itself to own another. */
export interface Owner {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata?: { readonly name?: string; readonly uid?: string }
}

/** What an object must tell to be asked about its owners. */
export interface Owned {
  readonly metadata?: { readonly ownerReferences?: readonly OwnerReference[] }
}

/** The reference that makes `owner` one of several owners: the garbage collector waits for all of them. */
export function buildOwnerReference(owner: Owner): OwnerReference {
  const { apiVersion, kind, metadata: { name, uid } = {} } = owner
  if (!apiVersion || !kind || !name || !uid) {
    throw new Error(
      `Cannot refer to ${kind} ${name} as owner: it needs apiVersion, kind, name and uid. Use what the server returned.`,
    )
  }
  return { apiVersion, kind, name, uid }
}

/** The reference that makes `owner` the one that decides about the object. */
export function buildControllerReference(owner: Owner): OwnerReference {
  return { ...buildOwnerReference(owner), controller: true, blockOwnerDeletion: true }
}

/** The owner that decides about the object; undefined if nobody does. */
export function findControllingOwner(object: Owned): OwnerReference | undefined {
  return object.metadata?.ownerReferences?.find((reference) => reference.controller === true)
}

/** Whether the object is decided about by exactly this owner, not by one that had its name before. */
export function isControlledBy(object: Owned, owner: Owner): boolean {
  const uid = owner.metadata?.uid
  return uid !== undefined && findControllingOwner(object)?.uid === uid
}

/** Whether the object has this owner among others. */
export function isOwnedBy(object: Owned, owner: Owner): boolean {
  const uid = owner.metadata?.uid
  return uid !== undefined && (object.metadata?.ownerReferences ?? []).some((reference) => reference.uid === uid)
}

/**
 * The list with this owner in it: in its old place if it was there, else at the end. Throws if another owner decides
 * already, because the API server takes only one. An equal list is returned as it is, so that `===` means "no change".
 */
export function addOwnerReference(
  references: readonly OwnerReference[],
  added: OwnerReference,
): readonly OwnerReference[] {
  const other = references.find((reference) => reference.controller === true && reference.uid !== added.uid)
  if (added.controller === true && other) {
    throw new Error(
      `Cannot make ${added.kind} ${added.name} the controlling owner: ${other.kind} ${other.name} is. Remove that first.`,
    )
  }
  const index = references.findIndex((reference) => reference.uid === added.uid)
  if (index < 0) return [...references, added]
  return equalReferences(references[index], added) ? references : references.with(index, added)
}

/** The list without this owner; the same list if it was not in it. */
export function removeOwnerReference(references: readonly OwnerReference[], uid: string): readonly OwnerReference[] {
  const left = references.filter((reference) => reference.uid !== uid)
  return left.length === references.length ? references : left
}

function equalReferences(a: OwnerReference | undefined, b: OwnerReference): boolean {
  return (
    a !== undefined &&
    a.apiVersion === b.apiVersion &&
    a.kind === b.kind &&
    a.name === b.name &&
    a.uid === b.uid &&
    (a.controller ?? false) === (b.controller ?? false) &&
    (a.blockOwnerDeletion ?? false) === (b.blockOwnerDeletion ?? false)
  )
}
