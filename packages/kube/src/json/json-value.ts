/**
 * JSON as plain data. Keys come from users, so `__proto__` and `constructor` are names like any other: read with
 * `ownValue`, write with spread, computed keys or `Object.fromEntries`, never with an assignment to a variable key.
 *
 * @module
 */

/** Anything JSON can say. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object; `undefined` stands for a key that is not there. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined }

/** Tell objects from lists, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Tell lists from everything else; `Array.isArray` forgets that the list is read-only. */
export function isJsonList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** The value of a key that the object itself has; what it inherits from its prototype does not count. */
export function ownValue(object: JsonObject | undefined, key: string): JsonValue | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined
}

/** The keys that are there; one whose value is undefined is not. */
export function ownKeys(object: JsonObject): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined)
}

/** The entries that are there; one whose value is undefined is not. */
export function ownEntries(object: JsonObject): [string, JsonValue][] {
  return Object.entries(object).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)
}

/** The same object without some keys. */
export function withoutKeys(object: JsonObject, keys: Iterable<string>): JsonObject {
  const left = new Set(keys)
  return Object.fromEntries(ownEntries(object).filter(([key]) => !left.has(key)))
}
