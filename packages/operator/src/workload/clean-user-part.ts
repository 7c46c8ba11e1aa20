import { isJsonList, isJsonObject, ownEntries, type JsonObject, type JsonValue } from '@slurm-operator/kube'

/**
 * What a user really said in a free-form field. Only the presence of a key counts, so `false`, `0` and `""` stay. Null,
 * empty lists and empty maps say nothing: charts write them for values that nobody gave. Inside of list elements
 * they may mean something (`emptyDir: {}`), so only nulls go there. Keys with `$` are words of patches, not of pods.
 */
export function cleanUserPart(part: JsonObject): JsonObject {
  const entries = ownEntries(part).filter(([key]) => !key.startsWith('$'))
  return Object.fromEntries(entries.flatMap(([key, value]) => (saysNothing(value) ? [] : [[key, cleanValue(value)]])))
}

function cleanValue(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(cleanElement)
  return isJsonObject(value) ? cleanUserPart(value) : value
}

function saysNothing(value: JsonValue): boolean {
  if (isJsonList(value)) return value.length === 0
  if (isJsonObject(value)) return Object.keys(cleanUserPart(value)).length === 0
  return value === null
}

function cleanElement(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(cleanElement)
  if (!isJsonObject(value)) return value
  const entries = ownEntries(value).filter(([key, inner]) => inner !== null && !key.startsWith('$'))
  return Object.fromEntries(entries.map(([key, inner]) => [key, cleanElement(inner)]))
}
