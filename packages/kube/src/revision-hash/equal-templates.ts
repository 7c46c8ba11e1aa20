/**
 * Whether two pod templates mean the same, although they were written by different programs: one prints an empty list
 * where the other prints nothing, one says `1000m` and the other `1`.
 *
 * @module
 */
import { equalJson } from '../json/equal-json.ts'
import { isJsonList, isJsonObject, ownEntries, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { isPodQuantity } from '../quantity/is-pod-quantity.ts'
import { parseQuantity } from '../quantity/parse-quantity.ts'
import { QuantityError } from '../quantity/quantity.ts'

/** Equal up to key order, null, empty lists and maps, and the way amounts are written. */
export function equalTemplates(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (equalJson(a, b)) return true // nearly always, and far cheaper
  return equalJson(normalizeTemplate(a ?? {}), normalizeTemplate(b ?? {}))
}

/** The one form of all templates that mean the same. */
export function normalizeTemplate(template: JsonValue): JsonValue {
  return normalize(template, [])
}

function normalize(value: JsonValue, path: readonly string[]): JsonValue {
  if (isJsonList(value)) return value.map((item) => normalize(item, path))
  if (isJsonObject(value)) return normalizeObject(value, path)
  return isPodQuantity(path) ? normalizeQuantity(value) : value
}

function normalizeObject(object: JsonObject, path: readonly string[]): JsonObject {
  const entries = ownEntries(object).map(([key, value]): [string, JsonValue] => [key, normalize(value, [...path, key])])
  return Object.fromEntries(entries.filter(([key, value]) => !isNothing(key, value)))
}

function isNothing(key: string, value: JsonValue): boolean {
  if (value === null) return true
  if (isJsonList(value)) return value.length === 0
  // An empty selector means all, a missing one nothing or the default.
  return isJsonObject(value) && ownEntries(value).length === 0 && !/selector$/i.test(key)
}

function normalizeQuantity(value: JsonValue): JsonValue {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  try {
    return `${parseQuantity(value).nanos}n`
  } catch (error) {
    if (error instanceof QuantityError) return value // not ours to judge here; it is compared as text
    throw error
  }
}
