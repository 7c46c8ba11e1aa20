import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JSONSchemaProps,
  type JsonValue,
  ownEntries,
} from '@slurm-operator/kube'
import {
  fieldPath,
  fieldSchema,
  isEmbedded,
  itemsOf,
  keepsUnknown,
  objectFields,
  objectMetaFields,
} from './schema-place.ts'

/** An object with what its schema allows, and the paths of what was taken out. */
export interface Pruned {
  readonly object: JsonObject
  readonly unknown: readonly string[]
}

/** Take out all fields that the schema of a kind does not know. */
export function pruneObject(object: JsonObject, schema: JSONSchemaProps): Pruned {
  const unknown: string[] = []
  const pruned = pruneMap(object, schema, '', { unknown, isObject: true })
  return { object: pruned, unknown: unknown.sort() }
}

interface Pruning {
  readonly unknown: string[]
  /** Whether this very map is an object with metadata. */
  readonly isObject: boolean
}

function pruneValue(value: JsonValue, schema: JSONSchemaProps | undefined, path: string, unknown: string[]): JsonValue {
  if (schema === undefined) return value
  if (isJsonObject(value)) return pruneMap(value, schema, path, { unknown, isObject: isEmbedded(schema) })
  const items = itemsOf(schema)
  if (!isJsonList(value) || items === undefined) return value
  return value.map((item, index) => pruneValue(item, items, fieldPath(path, index), unknown))
}

function pruneMap(map: JsonObject, schema: JSONSchemaProps, path: string, { unknown, isObject }: Pruning): JsonObject {
  if (schema['x-kubernetes-int-or-string'] === true) return map
  return Object.fromEntries(
    ownEntries(map).flatMap(([name, value]): [string, JsonValue][] => {
      const at = fieldPath(path, name)
      if (isObject && objectFields.has(name))
        return [[name, name === 'metadata' ? pruneMeta(value, at, unknown) : value]]
      const inner = fieldSchema(schema, name)
      if (inner !== undefined) return [[name, pruneValue(value, inner, at, unknown)]]
      if (keepsUnknown(schema)) return [[name, value]]
      unknown.push(at)
      return []
    }),
  )
}

function pruneMeta(metadata: JsonValue, path: string, unknown: string[]): JsonValue {
  if (!isJsonObject(metadata)) return metadata
  const entries = ownEntries(metadata)
  unknown.push(...entries.filter(([name]) => !objectMetaFields.has(name)).map(([name]) => fieldPath(path, name)))
  return Object.fromEntries(entries.filter(([name]) => objectMetaFields.has(name)))
}
