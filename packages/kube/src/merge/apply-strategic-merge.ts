/**
 * Strategic merge patch as the API server applies it, with all directives, for whoever must know the result without
 * asking. Checked against the server itself.
 *
 * @module
 */
import {
  isJsonList,
  isJsonObject,
  ownEntries,
  ownKeys,
  ownValue,
  type JsonObject,
  type JsonValue,
} from '../json/json-value.ts'
import {
  dropMarked,
  PATCH,
  RETAIN_KEYS,
  sortPatch,
  stripDirectives,
  StrategicMergeError,
  takeNewValue,
} from './directives.ts'
import { findField, type FieldRule, type Place } from './find-field.ts'
import { checkOrder, deleteFromList, mergeList, reorderList } from './merge-list.ts'
import type { MergeSchema } from './merge-schema.ts'

/**
 * The document after the patch. Neither argument is changed. Null deletes; maps are merged; lists are merged or
 * replaced as the schema says for `type`. Throws a `StrategicMergeError` where the server would refuse the patch.
 */
export function applyStrategicMerge(
  original: JsonObject,
  patch: JsonObject,
  schema: MergeSchema,
  type: string,
): JsonObject {
  return mergeMaps(original, patch, { schema, type })
}

type Fields = Map<string, JsonValue>

function mergeMaps(original: JsonObject, patch: JsonObject, place: Place): JsonObject {
  const directive = ownValue(patch, PATCH)
  if (directive !== undefined) return followDirective(directive, patch)
  const fields: Fields = new Map(ownEntries(retainKeys(original, patch)))
  const { values, orders, deletions } = sortPatch(patch)
  for (const [key, wanted] of orders)
    setOrDelete(fields, key, mergeInOrder(fields.get(key), values.get(key), wanted, findField(place, key)))
  for (const [key, value] of values) {
    if (!orders.has(key)) setOrDelete(fields, key, mergeValue(fields.get(key), value, findField(place, key)))
  }
  for (const [key, deleted] of deletions) {
    setOrDelete(fields, key, deleted === null ? undefined : deleteFromList(fields.get(key), deleted))
  }
  return Object.fromEntries(fields)
}

function followDirective(directive: JsonValue, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {}
  if (directive === 'replace') return stripDirectives(patch) as JsonObject
  throw new StrategicMergeError(`${JSON.stringify(directive)} is not a $patch for a map: use delete or replace`)
}

function setOrDelete(fields: Fields, key: string, value: JsonValue | undefined): void {
  if (value === undefined) fields.delete(key)
  else fields.set(key, value)
}

function mergeValue(original: JsonValue | undefined, value: JsonValue, rule: FieldRule): JsonValue | undefined {
  if (value === null) return undefined
  if (isJsonObject(original) && isJsonObject(value)) {
    return rule.strategy === 'replace' ? stripDirectives(value) : mergeMaps(original, value, rule.inside)
  }
  if (isJsonList(original) && isJsonList(value)) return mergeLists(original, value, rule)
  return takeNewValue(value)
}

function mergeLists(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  rule: FieldRule,
): readonly JsonValue[] {
  if (rule.strategy !== 'merge') return patch.map((element) => stripDirectives(element))
  return mergeList(original, patch, rule.mergeKey, (before, change) => mergeMaps(before, change, rule.inside))
}

function mergeInOrder(
  original: JsonValue | undefined,
  patch: JsonValue | undefined,
  wanted: JsonValue,
  rule: FieldRule,
): JsonValue | undefined {
  if (!isJsonList(wanted) || !isListOrAbsent(original) || !isListOrAbsent(patch)) {
    throw new StrategicMergeError('$setElementOrder is about something that is not a list')
  }
  if (patch) checkOrder(patch, wanted, rule.mergeKey)
  const merged = original && patch ? mergeLists(original, patch, rule) : (original ?? dropMarkedElements(patch))
  return merged && reorderList(merged, wanted, original ?? [], rule.mergeKey)
}

function dropMarkedElements(list: readonly JsonValue[] | undefined): readonly JsonValue[] | undefined {
  return list?.map((element) => dropMarked(element)).filter((element) => element !== undefined)
}

function isListOrAbsent(value: JsonValue | undefined): value is readonly JsonValue[] | undefined {
  return value === undefined || isJsonList(value)
}

/** `$retainKeys` clears what is not listed; a patch that sets an unlisted key contradicts itself. */
function retainKeys(original: JsonObject, patch: JsonObject): JsonObject {
  const retained = ownValue(patch, RETAIN_KEYS)
  if (retained === undefined) return original
  if (!isJsonList(retained)) throw new StrategicMergeError('$retainKeys must be a list of keys')
  const stranger = [...sortPatch(patch).values].find(([key, value]) => value !== null && !retained.includes(key))
  if (stranger) throw new StrategicMergeError(`the patch sets ${stranger[0]}, which $retainKeys does not list`)
  const kept = ownKeys(original).filter((key) => retained.includes(key))
  return Object.fromEntries(kept.map((key) => [key, original[key]]))
}
