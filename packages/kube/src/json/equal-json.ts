import { isJsonList, isJsonObject, ownValue, type JsonObject, type JsonValue } from './json-value.ts'

/** Whether two documents say the same: key order and undefined keys do not count, the order of lists does. */
export function equalJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true
  if (isJsonList(a) && isJsonList(b)) return equalLists(a, b)
  if (isJsonObject(a) && isJsonObject(b)) return equalObjects(a, b)
  return false
}

function equalLists(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  return a.length === b.length && a.every((item, index) => equalJson(item, b[index]))
}

function equalObjects(a: JsonObject, b: JsonObject): boolean {
  for (const key of Object.keys(a)) if (!equalJson(a[key], ownValue(b, key))) return false
  // Whatever `b` has besides must be undefined.
  for (const key of Object.keys(b)) if (b[key] !== undefined && ownValue(a, key) === undefined) return false
  return true
}
