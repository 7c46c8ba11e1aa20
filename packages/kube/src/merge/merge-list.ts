import { isJsonList, isJsonObject, ownValue, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { PATCH, stripDirectives, StrategicMergeError } from './directives.ts'
import { elementKey, elementKeys, elementKind, orderElements } from './keyed-list.ts'

/** How two maps with the same key become one; given by the caller, who knows their type. */
export type MergeElement = (original: JsonObject, patch: JsonObject) => JsonObject

type List = readonly JsonValue[]

/** Merge a list by key: change what is there, append what is new, delete what is marked, in the order of the patch. */
export function mergeList(original: List, patch: List, mergeKey: string | undefined, merge: MergeElement): List {
  const kind = elementKind(original, patch)
  if (kind === undefined) return original
  if (kind === 'map') return mergeMapList(original, patch, mergeKey, merge)
  const order = { wanted: elementKeys(patch, undefined), before: elementKeys(original, undefined) }
  return orderElements([...new Set([...original, ...patch])], order, undefined)
}

/** Put a merged list in the order that `$setElementOrder` asks for. */
export function reorderList(merged: List, wanted: List, original: List, mergeKey: string | undefined): List {
  elementKind(merged, wanted) // throws if the order speaks about other things than the list holds
  const keys = elementKeys(merged, mergeKey)
  const originalKeys = elementKeys(original, mergeKey)
  // The server deletes and appends in the memory of the old list, and then takes as many elements for the old order.
  const kept = originalKeys.filter((key) => keys.includes(key))
  const before = [...kept, ...keys.filter((key) => !originalKeys.includes(key))].slice(0, original.length)
  return orderElements(merged, { wanted: elementKeys(wanted, mergeKey), before }, mergeKey)
}

/** Take scalars out of a list; what is not a list of scalars is left alone. */
export function deleteFromList(original: JsonValue | undefined, deleted: JsonValue): JsonValue | undefined {
  if (!isJsonList(original) || !isJsonList(deleted)) return original
  const gone = new Set(deleted)
  return original.filter((element) => !gone.has(element))
}

/** The elements of a patch must stand as `$setElementOrder` says, or the two contradict each other. */
export function checkOrder(patch: List, wanted: List, mergeKey: string | undefined): void {
  if (patch.length === 0 || wanted.length === 0) return
  const order = elementKeys(wanted, mergeKey)
  let position = -1
  for (const element of patch) {
    if (isDeletion(element)) continue
    if (position + 1 >= order.length) throw outOfOrder(element)
    if (isSpecial(element)) continue
    position = order.indexOf(elementKey(element, mergeKey), position + 1)
    if (position < 0) throw outOfOrder(element)
  }
}

function mergeMapList(original: List, patch: List, mergeKey: string | undefined, merge: MergeElement): List {
  const { kept, changes } = obeySpecialElements(original, patch, mergeKey)
  const merged = [...kept]
  for (const change of changes) {
    const key = elementKey(change, mergeKey)
    const index = merged.findIndex((element) => elementKey(element, mergeKey) === key)
    const found = merged[index]
    if (isJsonObject(found)) merged[index] = merge(found, change)
    // The server appends a new element as it is, with nulls and with what is marked for deletion inside.
    else merged.push(stripDirectives(change))
  }
  const order = { wanted: elementKeys(changes, mergeKey), before: elementKeys(kept, mergeKey) }
  return orderElements(merged, order, mergeKey)
}

interface Obeyed {
  readonly kept: List
  readonly changes: readonly JsonObject[]
}

function obeySpecialElements(original: List, patch: List, mergeKey: string | undefined): Obeyed {
  const changes = patch.filter((element): element is JsonObject => isJsonObject(element) && !isSpecial(element))
  const special = patch.filter((element) => isSpecial(element))
  const deleted = special.filter((element) => !isReplacement(element)).map((element) => deletedKey(element, mergeKey))
  if (special.length > deleted.length) return { kept: changes.map((change) => stripDirectives(change)), changes: [] }
  if (deleted.length === 0) return { kept: original, changes }
  const gone = new Set(deleted)
  return { kept: original.filter((element) => !gone.has(elementKey(element, mergeKey))), changes }
}

function deletedKey(element: JsonObject, mergeKey: string | undefined): ReturnType<typeof elementKey> {
  const directive = ownValue(element, PATCH)
  if (directive !== 'delete') {
    throw new StrategicMergeError(
      `${JSON.stringify(directive)} is not a $patch for an element of a list: use delete or replace`,
    )
  }
  return elementKey(element, mergeKey)
}

function outOfOrder(element: JsonValue): StrategicMergeError {
  return new StrategicMergeError(
    `the element ${JSON.stringify(element)} does not stand where $setElementOrder wants it`,
  )
}

function isDeletion(element: JsonValue): boolean {
  return isJsonObject(element) && ownValue(element, PATCH) === 'delete'
}

function isReplacement(element: JsonObject): boolean {
  return ownValue(element, PATCH) === 'replace'
}

function isSpecial(element: JsonValue): element is JsonObject {
  return isJsonObject(element) && ownValue(element, PATCH) !== undefined
}
