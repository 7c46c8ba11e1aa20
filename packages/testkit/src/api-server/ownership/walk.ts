import { isJsonList, isJsonObject, type JsonObject, type JsonValue, ownEntries } from '@slurm-operator/kube'
import { below, type FieldPath } from './field-set.ts'
import type { Topology } from './topology.ts'

/** A part of a value that is owned by itself. */
export interface Part {
  /** The last element of its path. */
  readonly element: string
  readonly value: JsonValue
  readonly topology: Topology
  /** The name of the field, for the parts of a map. */
  readonly field?: string
}

/** The parts of a value, or undefined if it is owned as one: scalars, atomic lists and atomic maps. */
export function partsOf(value: JsonValue | undefined, topology: Topology): Part[] | undefined {
  if (isJsonObject(value)) return topology.isAtomicMap ? undefined : partsOfMap(value, topology)
  if (!isJsonList(value) || topology.listType === 'atomic') return undefined
  return value.map((item) => ({ element: elementFor(item, topology), value: item, topology: topology.element() }))
}

function partsOfMap(map: JsonObject, topology: Topology): Part[] {
  return ownEntries(map).map(([field, value]) => ({
    element: `f:${field}`,
    value,
    topology: topology.field(field),
    field,
  }))
}

/** How an element of a list is told apart: by its keys, or in a set by itself. */
export function elementFor(item: JsonValue, { listType, keys, keyDefault }: Topology): string {
  if (listType === 'set' || !isJsonObject(item)) return `v:${JSON.stringify(item)}`
  const entries = [...keys].sort().flatMap((key) => {
    const value = item[key] ?? keyDefault(key)
    return value === undefined ? [] : [[key, value]]
  })
  return `k:${JSON.stringify(Object.fromEntries(entries))}`
}

/** The paths that a configuration claims: its leaves, list items, entries of maps, and what is empty. */
export function fieldsOf(value: JsonValue | undefined, topology: Topology): Set<FieldPath> {
  const set = new Set<FieldPath>()
  claim(value, topology, '', set)
  return set
}

function claim(value: JsonValue | undefined, topology: Topology, path: FieldPath, into: Set<FieldPath>): void {
  const parts = partsOf(value, topology)
  if (parts === undefined) {
    if (path !== '') into.add(path)
    return
  }
  for (const part of parts) {
    const inner = below(path, part.element)
    claim(part.value, part.topology, inner, into)
    if (isClaimedItself(part, topology)) into.add(inner)
  }
}

function isClaimedItself({ field, value }: Part, topology: Topology): boolean {
  if (field === undefined || !topology.names(field)) return true
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0)
}
