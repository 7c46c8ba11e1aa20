import { isJsonObject, ownKeys, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { DELETE_FROM, discardNulls, PATCH, SET_ORDER } from './directives.ts'
import { elementKey, elementKeys, elementKind, type ElementKey } from './keyed-list.ts'

/** The three versions of one list; see `ThreeVersions`. */
export interface ListVersions {
  readonly original: readonly JsonValue[]
  readonly modified: readonly JsonValue[]
  readonly current: readonly JsonValue[]
}

/** How the difference of two elements with the same key is found; given by the caller, who knows their type. */
export type DiffElements = (versions: {
  readonly original: JsonObject
  readonly modified: JsonObject
  readonly current: JsonObject
}) => JsonObject

type Entry = readonly [string, JsonValue]

/** The entries of a patch that bring a merged list to what is wanted; none if it is so already. */
export function diffList(
  key: string,
  versions: ListVersions,
  mergeKey: string | undefined,
  diff: DiffElements,
): readonly Entry[] {
  const kind = elementKind(versions.original, versions.modified, versions.current)
  if (kind === 'map' && mergeKey !== undefined) return diffMapList(key, versions, mergeKey, diff)
  return diffScalarList(key, versions)
}

function diffScalarList(key: string, { original, modified, current }: ListVersions): readonly Entry[] {
  const added = [...new Set(modified.filter((element) => !current.includes(element)))]
  const gone = original.filter((element) => !modified.includes(element) && current.includes(element))
  const order = { wanted: elementKeys(modified, undefined), before: elementKeys(current, undefined) }
  if (added.length === 0 && gone.length === 0 && isInOrder(order)) return []
  return [
    [SET_ORDER + key, [...new Set(modified)]],
    ...entryUnlessEmpty(key, added),
    ...entryUnlessEmpty(DELETE_FROM + key, gone),
  ]
}

function diffMapList(key: string, versions: ListVersions, mergeKey: string, diff: DiffElements): readonly Entry[] {
  const { modified, current } = versions
  const order = { wanted: elementKeys(modified, mergeKey), before: elementKeys(current, mergeKey) }
  // Elements that share a key cannot be told apart: only the whole list can be said.
  if (hasTwins(order.wanted) || hasTwins(order.before))
    return [[key, [{ [PATCH]: 'replace' }, ...modified.map(discardNulls)]]]
  const elements = [...changedElements(versions, mergeKey, diff), ...deletedElements(versions, mergeKey)]
  if (elements.length === 0 && isInOrder(order)) return []
  return [[SET_ORDER + key, order.wanted.map((value) => ({ [mergeKey]: value }))], ...entryUnlessEmpty(key, elements)]
}

function changedElements(
  { original, modified, current }: ListVersions,
  mergeKey: string,
  diff: DiffElements,
): JsonValue[] {
  const originals = byKey(original, mergeKey)
  const currents = byKey(current, mergeKey)
  return modified.flatMap((element) => {
    const value = elementKey(element, mergeKey)
    const before = currents.get(value)
    if (!before || !isJsonObject(element)) return [discardNulls(element)]
    const change = diff({ original: originals.get(value) ?? {}, modified: element, current: before })
    return ownKeys(change).length === 0 ? [] : [{ ...change, [mergeKey]: value }]
  })
}

function deletedElements({ original, modified, current }: ListVersions, mergeKey: string): JsonValue[] {
  const wanted = new Set(elementKeys(modified, mergeKey))
  const present = new Set(elementKeys(current, mergeKey))
  const gone = elementKeys(original, mergeKey).filter((value) => !wanted.has(value) && present.has(value))
  return [...new Set(gone)].map((value) => ({ [PATCH]: 'delete', [mergeKey]: value }))
}

function byKey(list: readonly JsonValue[], mergeKey: string): Map<ElementKey, JsonObject> {
  const objects = list.filter((element) => isJsonObject(element))
  return new Map(objects.map((element) => [elementKey(element, mergeKey), element]))
}

/** Whether the wanted elements stand in the wanted order already; what others put between them does not matter. */
function isInOrder({ wanted, before }: { wanted: readonly ElementKey[]; before: readonly ElementKey[] }): boolean {
  const ours = new Set(wanted)
  const present = before.filter((value) => ours.has(value))
  return present.length === wanted.length && present.every((value, index) => value === wanted[index])
}

function hasTwins(keys: readonly ElementKey[]): boolean {
  return new Set(keys).size < keys.length
}

function entryUnlessEmpty(key: string, list: readonly JsonValue[]): readonly Entry[] {
  return list.length === 0 ? [] : [[key, list]]
}
