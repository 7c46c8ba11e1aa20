import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JSONSchemaProps,
  type JsonValue,
  ownEntries,
} from '@slurm-operator/kube'
import { fieldSchema, itemsOf } from './schema-place.ts'

/** What becomes of a null where none is allowed and no default stands in: apply leaves it, and it is refused later. */
export type NullRule = 'drop' | 'keep'

/** Fill in what the schema has defaults for. A null where none is allowed counts as nothing. */
export function fillDefaults(value: JsonValue, schema: JSONSchemaProps | undefined, nulls: NullRule): JsonValue {
  if (schema === undefined) return value
  if (isJsonObject(value)) return fillMap(value, schema, nulls)
  const items = itemsOf(schema)
  return isJsonList(value) && items !== undefined ? value.map((item) => fillDefaults(item, items, nulls)) : value
}

function fillMap(map: JsonObject, schema: JSONSchemaProps, nulls: NullRule): JsonObject {
  const present = ownEntries(map).filter(
    ([name, value]) => value !== null || mayBeNull(fieldSchema(schema, name), nulls),
  )
  const fields = new Map(present)
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default !== undefined && !fields.has(name)) fields.set(name, property.default as JsonValue)
  }
  for (const [name, value] of fields) fields.set(name, fillDefaults(value, fieldSchema(schema, name), nulls))
  return Object.fromEntries(fields)
}

function mayBeNull(schema: JSONSchemaProps | undefined, nulls: NullRule): boolean {
  return schema === undefined || schema.nullable === true || (nulls === 'keep' && schema.default === undefined)
}
