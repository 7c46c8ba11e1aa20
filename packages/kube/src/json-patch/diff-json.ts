import { equalJson } from '../json/equal-json.ts'
import { isJsonList, isJsonObject, ownKeys, ownValue, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { printPointer, type JsonPatchOperation } from './json-patch.ts'

type List = readonly JsonValue[]
type Path = readonly (string | number)[]

// Beyond this many comparisons elements are paired by position: the patch may be longer, and is still correct.
const MOST_COMPARISONS = 250_000

/** A short patch that turns one document into the other; empty if they are equal. */
export function diffJson(from: JsonValue, to: JsonValue): JsonPatchOperation[] {
  return diffValues(from, to, [])
}

function diffValues(from: JsonValue, to: JsonValue, path: Path): JsonPatchOperation[] {
  if (isJsonObject(from) && isJsonObject(to)) return diffObjects(from, to, path)
  if (isJsonList(from) && isJsonList(to)) return diffLists(from, to, path)
  return equalJson(from, to) ? [] : [{ op: 'replace', path: printPointer(path), value: to }]
}

function diffObjects(from: JsonObject, to: JsonObject, path: Path): JsonPatchOperation[] {
  const keys = new Set([...ownKeys(from), ...ownKeys(to)])
  return [...keys].flatMap((key): JsonPatchOperation[] => {
    const before = ownValue(from, key)
    const after = ownValue(to, key)
    const at = [...path, key]
    if (after === undefined) return [{ op: 'remove', path: printPointer(at) }]
    return before === undefined ? [{ op: 'add', path: printPointer(at), value: after }] : diffValues(before, after, at)
  })
}

/** What is equal at both ends stays; between, elements that occur on both sides stay and the rest is changed. */
function diffLists(from: List, to: List, path: Path): JsonPatchOperation[] {
  const start = countEqual(from, to)
  const restOfFrom = from.slice(start)
  const restOfTo = to.slice(start)
  const end = countEqual(restOfFrom.toReversed(), restOfTo.toReversed())
  const middleOfFrom = restOfFrom.slice(0, restOfFrom.length - end)
  const middleOfTo = restOfTo.slice(0, restOfTo.length - end)
  let place = start
  return gaps(middleOfFrom, middleOfTo).flatMap(({ gone, come, kept }) => {
    const operations = diffGap(gone, come, place, path)
    place += come.length + kept
    return operations
  })
}

/** Elements without a partner on the other side: the first ones are changed in place, surplus is added or removed. */
function diffGap(gone: List, come: List, place: number, path: Path): JsonPatchOperation[] {
  const both = Math.min(gone.length, come.length)
  const at = (index: number) => [...path, place + index]
  return [
    ...gone.slice(0, both).flatMap((element, index) => diffValues(element, come[index] ?? null, at(index))),
    ...gone.slice(both).map((): JsonPatchOperation => ({ op: 'remove', path: printPointer(at(both)) })),
    ...come
      .slice(both)
      .map((value, index): JsonPatchOperation => ({ op: 'add', path: printPointer(at(both + index)), value })),
  ]
}

interface Gap {
  readonly gone: List
  readonly come: List
  /** How many equal elements follow the gap. */
  readonly kept: number
}

function gaps(from: List, to: List): Gap[] {
  const pairs = from.length * to.length > MOST_COMPARISONS ? [] : longestCommon(from, to)
  const found: Gap[] = []
  let inFrom = 0
  let inTo = 0
  for (const [fromIndex, toIndex] of pairs) {
    found.push({ gone: from.slice(inFrom, fromIndex), come: to.slice(inTo, toIndex), kept: 1 })
    inFrom = fromIndex + 1
    inTo = toIndex + 1
  }
  return [...found, { gone: from.slice(inFrom), come: to.slice(inTo), kept: 0 }]
}

/** The places of the most elements that occur in both lists in the same order. */
function longestCommon(from: List, to: List): [number, number][] {
  const width = to.length + 1
  // longest[i * width + j]: how many elements from[i…] and to[j…] have in common
  const longest = new Uint32Array((from.length + 1) * width)
  const at = (i: number, j: number) => longest[i * width + j] ?? 0
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      longest[i * width + j] = equalJson(from[i], to[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  return readPairs(from, to, at)
}

function readPairs(from: List, to: List, at: (i: number, j: number) => number): [number, number][] {
  const pairs: [number, number][] = []
  let i = 0
  let j = 0
  while (i < from.length && j < to.length) {
    if (equalJson(from[i], to[j])) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}

function countEqual(a: List, b: List): number {
  let count = 0
  while (count < a.length && count < b.length && equalJson(a[count], b[count])) count++
  return count
}
