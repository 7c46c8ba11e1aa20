/**
 * What the garbage collector and the namespace controller do in a cluster. A server alone only marks objects; here is the
 * other half, as one step that the world takes when it likes.
 *
 * @module
 */
import type { ServerCore } from '../core.ts'
import { keyTextOf, withMeta, type ApiObject, type OwnerReference } from '../objects/api-object.ts'
import { plainDelete } from '../requests/read-delete-options.ts'
import { storageOf, type ResourceType } from '../resources/resource-type.ts'
import { deleteObject } from '../writing/delete-object.ts'
import { endIfReady } from '../writing/end-object.ts'
import { finishNamespaces } from './finish-namespaces.ts'

/** One object with its type. */
interface Found {
  readonly type: ResourceType
  readonly object: ApiObject
}

const MOST_ROUNDS = 1000

/** The version at which nothing was left to do. */
const cleanAt = new WeakMap<ServerCore, number>()

/** Do everything that is to be done now. Returns how many objects were touched. */
export function collectGarbage(core: ServerCore): number {
  if (cleanAt.get(core) === core.store.version) return 0
  const touched = collectAll(core)
  cleanAt.set(core, core.store.version)
  return touched
}

function collectAll(core: ServerCore): number {
  let touched = 0
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = core.store.version
    collectOnce(core)
    if (core.store.version === before) return touched
    touched += core.store.version - before
  }
  throw new Error('Cannot collect garbage: it never comes to an end.')
}

function collectOnce(core: ServerCore): void {
  for (const { type, object } of allObjects(core)) {
    const present = core.store.get(storageOf(type), keyTextOf(object.metadata))
    if (present !== undefined) treat(core, { type, object: present })
  }
  finishNamespaces(core, () => allObjects(core))
}

/** Every object of every resource, each once whatever versions are served. */
function allObjects({ store, registry }: ServerCore): Found[] {
  const types = new Map(registry.all().map((type) => [storageOf(type), type]))
  return [...types].flatMap(([storage, type]) => store.list(storage).map((object) => ({ type, object })))
}

function treat(core: ServerCore, found: Found): void {
  const { type, object } = found
  const { finalizers = [], deletionTimestamp, ownerReferences = [] } = object.metadata
  if (deletionTimestamp !== undefined && finalizers.includes('orphan')) return orphanDependants(core, found)
  if (deletionTimestamp !== undefined && finalizers.includes('foregroundDeletion')) return deleteForeground(core, found)
  if (ownerReferences.length === 0 || deletionTimestamp !== undefined) return
  const owners = ownerReferences.map((reference) => ({ reference, owner: findOwner(core, object, reference) }))
  const living = owners.filter(({ owner }) => owner !== undefined)
  if (living.length === 0) deleteObject(core, type, object, { ...plainDelete, propagation: 'Background' })
  else if (living.length < owners.length)
    keepOwners(
      core,
      found,
      living.map(({ reference }) => reference),
    )
}

/** An owner is only the very object that was meant, in the same namespace or in none. */
function findOwner(
  { registry, store }: ServerCore,
  object: ApiObject,
  reference: OwnerReference,
): ApiObject | undefined {
  const [version = '', group = ''] = reference.apiVersion.split('/').toReversed()
  const type = registry.findKind(group, reference.kind)
  if (type === undefined || version === '') return undefined
  const namespace = type.namespaced ? object.metadata.namespace : undefined
  const owner = store.get(storageOf(type), keyTextOf({ namespace, name: reference.name }))
  return owner?.metadata.uid === reference.uid ? owner : undefined
}

function dependantsOf(
  core: ServerCore,
  { object }: Found,
): { readonly found: Found; readonly reference: OwnerReference }[] {
  return allObjects(core).flatMap((found) => {
    const reference = found.object.metadata.ownerReferences?.find(({ uid }) => uid === object.metadata.uid)
    return reference === undefined ? [] : [{ found, reference }]
  })
}

function orphanDependants(core: ServerCore, owner: Found): void {
  for (const { found } of dependantsOf(core, owner)) {
    const left = (found.object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.object.metadata.uid)
    keepOwners(core, found, left)
  }
  takeFinalizer(core, owner, 'orphan')
}

/** First the dependants that block, then the owner. */
function deleteForeground(core: ServerCore, owner: Found): void {
  const dependants = dependantsOf(core, owner)
  for (const { found } of dependants) {
    if (found.object.metadata.deletionTimestamp !== undefined || hasOtherOwner(core, found, owner)) continue
    deleteObject(core, found.type, found.object, { ...plainDelete, propagation: 'Foreground' })
  }
  const isBlocked = dependantsOf(core, owner).some(
    ({ found, reference }) => reference.blockOwnerDeletion === true && !hasOtherOwner(core, found, owner),
  )
  if (!isBlocked) takeFinalizer(core, owner, 'foregroundDeletion')
}

function hasOtherOwner(core: ServerCore, { object }: Found, owner: Found): boolean {
  return (object.metadata.ownerReferences ?? []).some((reference) => {
    const other = reference.uid === owner.object.metadata.uid ? undefined : findOwner(core, object, reference)
    return other !== undefined && other.metadata.deletionTimestamp === undefined
  })
}

function keepOwners({ store }: ServerCore, { type, object }: Found, owners: readonly OwnerReference[]): void {
  store.put(storageOf(type), withMeta(object, { ownerReferences: owners.length === 0 ? undefined : [...owners] }))
}

function takeFinalizer(core: ServerCore, { type, object }: Found, finalizer: string): void {
  const left = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer)
  const next = withMeta(object, { finalizers: left.length === 0 ? undefined : left })
  if (!endIfReady(core, type, next)) core.store.put(storageOf(type), next)
}
