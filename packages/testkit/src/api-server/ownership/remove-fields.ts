import { isJsonList, isJsonObject, type JsonValue } from '@slurm-operator/kube'
import { ancestorsOf, below, type FieldPath, type FieldSet } from './field-set.ts'
import type { Topology } from './topology.ts'
import { partsOf } from './walk.ts'

/**
 * A value without the fields of a set. What becomes empty by it is null, as in a real server; there, a custom kind that
 * does not allow nulls then refuses the whole object.
 */
export function removeFields(value: JsonValue, fields: FieldSet, topology: Topology): JsonValue {
  const touched = new Set([...fields].flatMap(ancestorsOf))
  return removeBelow(value, '', topology, { fields, touched })
}

interface Removal {
  readonly fields: FieldSet
  /** Paths that have something to remove below them. */
  readonly touched: FieldSet
}

function removeBelow(value: JsonValue, path: FieldPath, topology: Topology, removal: Removal): JsonValue {
  if (path !== '' && !removal.touched.has(path)) return value
  const parts = partsOf(value, topology)
  if (parts === undefined) return value
  const left = parts.flatMap((part) => {
    const inner = below(path, part.element)
    if (removal.fields.has(inner)) return []
    return [{ field: part.field ?? '', rest: removeBelow(part.value, inner, part.topology, removal) }]
  })
  if (left.length === 0 && parts.length > 0 && path !== '') return null
  if (isJsonList(value)) return left.map(({ rest }) => rest)
  return isJsonObject(value) ? Object.fromEntries(left.map(({ field, rest }) => [field, rest])) : value
}
