import { equalJson, isJsonList, isJsonObject, type JsonValue } from '@slurm-operator/kube'
import { below, type FieldPath } from './field-set.ts'
import type { Topology } from './topology.ts'
import { partsOf, type Part } from './walk.ts'

/** What a write changed, as field paths. */
export interface Comparison {
  /** Added or changed. */
  readonly set: ReadonlySet<FieldPath>
  readonly removed: ReadonlySet<FieldPath>
}

/** Compare two states of an object. */
export function compareFields(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  topology: Topology,
): Comparison {
  const set = new Set<FieldPath>()
  const removed = new Set<FieldPath>()
  compare(before, after, topology, '', { set, removed })
  return { set, removed }
}

interface Found {
  readonly set: Set<FieldPath>
  readonly removed: Set<FieldPath>
}

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  topology: Topology,
  path: FieldPath,
  found: Found,
): void {
  if (equalJson(before, after)) return // most of an object stays as it was
  const [had, has] = [partsOf(before, topology), partsOf(after, topology)]
  const isWhole = had === undefined && has === undefined
  if (isWhole || !haveSameForm(before, after)) noteWhole(after, path, found)
  if (isWhole) return
  const [old, young] = [byElement(had), byElement(has)]
  for (const element of new Set([...old.keys(), ...young.keys()])) {
    const part = young.get(element) ?? old.get(element)
    if (part === undefined) continue
    const isThere =
      before !== undefined && after !== undefined && part.field !== undefined && topology.isAlwaysThere(part.field)
    const [was, is] = [old.get(element)?.value, young.get(element)?.value]
    const mayBeEmpty = isThere && isContainer(part.value)
    const orEmpty = (value: JsonValue | undefined) =>
      value === undefined && mayBeEmpty ? emptyLike(part.value) : value
    compare(orEmpty(was), orEmpty(is), part.topology, below(path, element), found)
  }
}

function noteWhole(after: JsonValue | undefined, path: FieldPath, found: Found): void {
  if (path === '') return
  if (after === undefined) found.removed.add(path)
  else found.set.add(path)
}

/**
 * A map that stays a map, and a list that stays a list, are not changed themselves when something in them is. A null
 * counts as an empty one.
 */
function haveSameForm(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  const isMap = (value: JsonValue | undefined) => value === null || isJsonObject(value)
  const isList = (value: JsonValue | undefined) => value === null || isJsonList(value)
  return (isMap(before) && isMap(after)) || (isList(before) && isList(after))
}

function isContainer(value: JsonValue): boolean {
  return isJsonObject(value) || isJsonList(value)
}

function emptyLike(value: JsonValue): JsonValue {
  return isJsonList(value) ? [] : {}
}

function byElement(parts: readonly Part[] | undefined): Map<string, Part> {
  return new Map((parts ?? []).map((part) => [part.element, part]))
}
