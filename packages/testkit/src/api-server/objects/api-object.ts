/**
 * Objects as the server stores them: plain JSON that nobody changes in place. A write makes a new object.
 *
 * @module
 */
import { isJsonObject, type JsonObject, type JsonValue } from '@slurm-operator/kube'

/** Who owns an object. */
export type OwnerReference = {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

/** Which fields one manager owns. */
export type ManagedFieldsEntry = {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly time: string
  readonly fieldsType: 'FieldsV1'
  readonly fieldsV1: JsonObject
  readonly subresource?: string
}

/** The fields that the server reads; whatever else a user sent stays beside them. */
type Meta = {
  readonly name: string
  readonly namespace?: string
  readonly generateName?: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation?: number
  readonly creationTimestamp: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
  readonly managedFields?: readonly ManagedFieldsEntry[]
}

/** A stored object. */
export type ApiObject = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Meta
  readonly [field: string]: JsonValue | undefined
}

/** An object on its way in: nothing of it is sure but that it is a map with metadata. */
export type DraftObject = {
  readonly metadata: JsonObject
  readonly [field: string]: JsonValue | undefined
}

/** Namespace and name in one text; the order of these texts is the order of lists. */
export type ObjectKeyText = string

/** The key of an object. */
export function keyTextOf(metadata: { readonly namespace?: string | undefined; readonly name: string }): ObjectKeyText {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}

/** The same object with other metadata; undefined values remove a field. */
export function withMeta<T extends ApiObject | DraftObject>(
  object: T,
  change: Readonly<Record<string, JsonValue | undefined>>,
): T {
  const entries = Object.entries({ ...object.metadata, ...change }).filter(([, value]) => value !== undefined)
  return { ...object, metadata: Object.fromEntries(entries) }
}

/** The map below a path, or an empty one. */
export function mapAt(object: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  const value = path.reduce<JsonValue | undefined>((at, key) => (isJsonObject(at) ? at[key] : undefined), object)
  return isJsonObject(value) ? value : {}
}

/** The same map with one field of one of its maps changed. */
export function setIn(
  object: JsonObject,
  [first = '', ...rest]: readonly string[],
  value: JsonValue | undefined,
): JsonObject {
  if (rest.length > 0) return { ...object, [first]: setIn(mapAt(object, first), rest, value) }
  const { [first]: _, ...others } = object
  return value === undefined ? others : { ...object, [first]: value }
}

/** A value as it stands in a message: a text is itself, nothing is nothing. */
export function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
