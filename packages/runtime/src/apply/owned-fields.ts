/**
 * Which fields we set the last time. The API server remembers it for every field manager in `managedFields`; we keep
 * our own entry of it and need no annotation, no hash and no memory of our own.
 *
 * The entry tells more than names. Its form is how the server sees the object: a list whose elements are told apart by
 * keys has entries `k:{…}`, a set has `v:…`, and what is one value has nothing below it. So lists are compared as this
 * very server merges them, also in kinds whose schema nobody told us.
 *
 * @module
 */
import { isJsonObject, type JsonObject, type JsonValue, type ManagedFieldsEntry } from '@slurm-operator/kube'
import type { LiveChild } from './child.ts'

/** A node of the tree: `f:name` for fields, `k:{…}` and `v:…` for elements, `.` for the thing itself. */
export type OwnedFields = JsonObject

const ITSELF = '.'

/**
 * What a cache must keep of `managedFields` for objects that are applied: the entry of this manager. All others may go;
 * they are the larger part. The answer is a list even if it is empty.
 */
export function keepOwnFields(
  managedFields: readonly ManagedFieldsEntry[] | undefined,
  fieldManager: string,
): readonly ManagedFieldsEntry[] {
  return (managedFields ?? []).filter(
    ({ manager, operation, subresource }) =>
      manager === fieldManager && operation === 'Apply' && (subresource ?? '') === '',
  )
}

/** The fields that this manager applied last, in this version of the API; undefined if it never did. */
export function findOwnFields(live: LiveChild, fieldManager: string, apiVersion: string): OwnedFields | undefined {
  const [entry] = keepOwnFields(live.metadata.managedFields, fieldManager)
  return entry?.apiVersion === apiVersion ? (entry.fieldsV1 as OwnedFields | undefined) : undefined
}

/** The node below one field. */
export function ownedField(owned: OwnedFields, name: string): OwnedFields | undefined {
  const node = Object.hasOwn(owned, `f:${name}`) ? owned[`f:${name}`] : undefined
  return isJsonObject(node) ? node : undefined
}

/** The names of the fields below. */
export function ownedNames(owned: OwnedFields): string[] {
  return Object.keys(owned).flatMap((element) => (element.startsWith('f:') ? [element.slice(2)] : []))
}

/** Whether the thing is owned as one value. */
export function isOneValue(owned: OwnedFields): boolean {
  return Object.keys(owned).every((element) => element === ITSELF)
}

/** Whether the thing is owned itself, not only something in it. */
export function isOwnedItself(owned: OwnedFields): boolean {
  return Object.hasOwn(owned, ITSELF) || isOneValue(owned)
}

/** One element of a list: what tells it apart, and what is below it. */
export interface OwnedElement {
  readonly is: 'keyed' | 'value'
  /** The keys with their values, or the value itself. */
  readonly identity: JsonValue
  readonly fields: OwnedFields
}

/** The elements of a list that is merged. */
export function ownedElements(owned: OwnedFields): OwnedElement[] {
  return Object.entries(owned).flatMap(([element, node]): OwnedElement[] => {
    const is = element.startsWith('k:') ? 'keyed' : element.startsWith('v:') ? 'value' : undefined
    if (is === undefined) return []
    return [{ is, identity: JSON.parse(element.slice(2)) as JsonValue, fields: isJsonObject(node) ? node : {} }]
  })
}

/** Both trees in one: for notes of one manager that become those of another. */
export function mergeOwnedFields(one: OwnedFields, other: OwnedFields): OwnedFields {
  const both = Object.entries(other).map(([name, fields]) => {
    const before = Object.hasOwn(one, name) ? one[name] : undefined
    return [name, isJsonObject(before) && isJsonObject(fields) ? mergeOwnedFields(before, fields) : fields] as const
  })
  return { ...one, ...Object.fromEntries(both) }
}
