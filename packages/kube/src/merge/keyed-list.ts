import { isJsonObject, ownValue, type JsonValue } from '../json/json-value.ts'
import { StrategicMergeError } from './directives.ts'

/** What tells the elements of a merged list apart: the value of the merge key, or a scalar itself. */
export type ElementKey = string | number | boolean

/** The key of one element. Throws if it has none, because then nobody can say what it should be merged with. */
export function elementKey(element: JsonValue, mergeKey: string | undefined): ElementKey {
  const key = isJsonObject(element) ? ownValue(element, mergeKey ?? '') : element
  if (isJsonObject(element) && mergeKey === undefined) throw new StrategicMergeError('a list of maps has no merge key')
  if (typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean') return key
  throw new StrategicMergeError(
    `the element ${JSON.stringify(element)} has no ${mergeKey ?? 'simple value'} to tell it from others`,
  )
}

/** The keys of all elements, in their order. */
export function elementKeys(list: readonly JsonValue[], mergeKey: string | undefined): ElementKey[] {
  return list.map((element) => elementKey(element, mergeKey))
}

/** Whether the elements are maps or scalars; undefined for no elements. Throws if they are mixed. */
export function elementKind(...lists: readonly (readonly JsonValue[])[]): 'map' | 'scalar' | undefined {
  const kinds = new Set(lists.flat().map((element) => (isJsonObject(element) ? 'map' : typeof element)))
  const [kind, another] = kinds
  if (another !== undefined || kind === 'object') {
    throw new StrategicMergeError(`the elements of a list are of different kinds: ${JSON.stringify(lists.flat())}`)
  }
  if (kind === undefined) return undefined
  return kind === 'map' ? 'map' : 'scalar'
}

/** The wishes of two sides about the order of one list. */
export interface Order {
  /** The keys the patch speaks about, as it wants them. */
  readonly wanted: readonly ElementKey[]
  /** The keys that were there before, as they stood. */
  readonly before: readonly ElementKey[]
}

/**
 * Put a merged list in order. Elements of the patch stand as the patch wants them; an element only the server knows
 * goes before the first of them that stood behind it, and to the end if there is none.
 */
export function orderElements(
  list: readonly JsonValue[],
  { wanted, before }: Order,
  mergeKey: string | undefined,
): JsonValue[] {
  const isWanted = new Set(wanted)
  const entries = list.map((element) => ({ element, key: elementKey(element, mergeKey) }))
  const fromPatch = sortByPlace(
    entries.filter(({ key }) => isWanted.has(key)),
    wanted,
  )
  const fromServer = sortByPlace(
    entries.filter(({ key }) => !isWanted.has(key)),
    before,
  )
  return interleave(fromServer, fromPatch, places(before)).map(({ element }) => element)
}

interface Entry {
  readonly element: JsonValue
  readonly key: ElementKey
}

function interleave(
  fromServer: readonly Entry[],
  fromPatch: readonly Entry[],
  place: ReadonlyMap<ElementKey, number>,
): Entry[] {
  const waiting = [...fromServer]
  const ordered = fromPatch.flatMap((entry) => {
    const behind = place.get(entry.key) ?? -1 // a new element has no place yet: nothing goes before it
    const count = waiting.findIndex(({ key }) => !((place.get(key) ?? Infinity) < behind))
    return [...waiting.splice(0, count < 0 ? waiting.length : count), entry]
  })
  return [...ordered, ...waiting]
}

function sortByPlace(entries: readonly Entry[], order: readonly ElementKey[]): Entry[] {
  const place = places(order)
  const placeOf = ({ key }: Entry) => place.get(key) ?? order.length
  return entries.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Where each key stands first. */
function places(keys: readonly ElementKey[]): Map<ElementKey, number> {
  return new Map(keys.map((key, index): [ElementKey, number] => [key, index]).reverse())
}
