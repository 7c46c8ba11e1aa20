/**
 * The words of a strategic merge patch that are not data: `$patch`, `$retainKeys`, `$setElementOrder/<list>` and
 * `$deleteFromPrimitiveList/<list>`.
 *
 * @module
 */
import { isJsonList, isJsonObject, ownEntries, ownValue, type JsonObject, type JsonValue } from '../json/json-value.ts'

/** In a map: replace or delete it. In an element of a list: delete that element, or replace the whole list. */
export const PATCH = '$patch'
/** The keys that may stay in a map; used for maps of which only one member may be set. */
export const RETAIN_KEYS = '$retainKeys'
/** Before the name of a list: the wanted order of its elements. */
export const SET_ORDER = '$setElementOrder/'
/** Before the name of a list of scalars: those to take out. */
export const DELETE_FROM = '$deleteFromPrimitiveList/'

/** A patch, or a pair of documents, that strategic merge cannot handle. The API server refuses it, too. */
export class StrategicMergeError extends Error {
  override readonly name = 'StrategicMergeError'

  constructor(why: string) {
    super(`Cannot merge strategically: ${why}.`)
  }
}

/** A patch taken apart: what to do to which key. */
export interface SortedPatch {
  readonly values: ReadonlyMap<string, JsonValue>
  readonly orders: ReadonlyMap<string, JsonValue>
  readonly deletions: ReadonlyMap<string, JsonValue>
}

/** Separate data from directives. */
export function sortPatch(patch: JsonObject): SortedPatch {
  const entries = ownEntries(patch).filter(([key]) => key !== RETAIN_KEYS)
  const values = entries.filter(([key]) => !key.startsWith(SET_ORDER) && !key.startsWith(DELETE_FROM))
  return {
    values: new Map(values),
    orders: withPrefix(entries, SET_ORDER),
    deletions: withPrefix(entries, DELETE_FROM),
  }
}

/** A value that is new to the document, without nulls, and without whatever is marked with `$patch`. */
export function takeNewValue(value: JsonValue): JsonValue | undefined {
  return dropMarked(discardNulls(value))
}

/** The value without the maps that are marked with `$patch`; undefined if it is one itself. */
export function dropMarked(value: JsonValue): JsonValue | undefined {
  if (isJsonList(value)) return value.map((item) => dropMarked(item)).filter((item) => item !== undefined)
  if (!isJsonObject(value)) return value
  if (ownValue(value, PATCH) !== undefined) return undefined
  const entries = ownEntries(withoutDirectives(value)).map(([key, inner]) => [key, dropMarked(inner)] as const)
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined))
}

/** A value that is taken as it is; only the directives go, because the server would not store them either. */
export function stripDirectives(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map((item) => stripDirectives(item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(ownEntries(withoutDirectives(value)).map(([key, inner]) => [key, stripDirectives(inner)]))
}

/** The value without map entries that are null; nulls in lists are elements. */
export function discardNulls(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map((item) => discardNulls(item))
  if (!isJsonObject(value)) return value
  const entries = ownEntries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(entries.map(([key, inner]) => [key, discardNulls(inner)]))
}

function withoutDirectives(object: JsonObject): JsonObject {
  return Object.fromEntries(ownEntries(object).filter(([key]) => !isDirective(key)))
}

function isDirective(key: string): boolean {
  return key === PATCH || key === RETAIN_KEYS || key.startsWith(SET_ORDER) || key.startsWith(DELETE_FROM)
}

function withPrefix(entries: readonly [string, JsonValue][], prefix: string): Map<string, JsonValue> {
  const found = entries.filter(([key]) => key.startsWith(prefix))
  return new Map(found.map(([key, value]) => [key.slice(prefix.length), value]))
}
