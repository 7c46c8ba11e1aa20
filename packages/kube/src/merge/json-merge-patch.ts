/**
 * JSON merge patch (RFC 7386): null deletes, maps are merged, everything else is replaced.
 *
 * @module
 */
import { equalJson } from '../json/equal-json.ts'
import { isJsonObject, ownEntries, ownKeys, ownValue, type JsonValue } from '../json/json-value.ts'

/** The document after the patch. Neither argument is changed. */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch
  const fields = new Map(isJsonObject(target) ? ownEntries(target) : [])
  for (const [key, value] of ownEntries(patch)) {
    if (value === null) fields.delete(key)
    else fields.set(key, applyMergePatch(fields.get(key), value))
  }
  return Object.fromEntries(fields)
}

/** The patch that turns one document into the other. A null in the target cannot be said: it means "not there". */
export function createMergePatch(from: JsonValue, to: JsonValue): JsonValue {
  if (!isJsonObject(from) || !isJsonObject(to)) return to
  const gone = ownKeys(from).filter((key) => (ownValue(to, key) ?? null) === null)
  const changed = ownEntries(to).filter(([key, value]) => value !== null && !equalJson(ownValue(from, key), value))
  return Object.fromEntries([
    ...gone.map((key): [string, JsonValue] => [key, null]),
    ...changed.map(([key, value]): [string, JsonValue] => [key, createMergePatch(ownValue(from, key) ?? null, value)]),
  ])
}
