import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JSONSchemaProps,
  type JsonValue,
  ownEntries,
} from '@slurm-operator/kube'
import { pruneObject } from './prune.ts'
import { fieldSchema, itemsOf } from './schema-place.ts'

/**
 * Why a configuration cannot be applied to a kind at all. Apply must know the place of every field, so it refuses what
 * other writes only drop or report: strangers, wrong types, elements without or with the same key.
 */
export function whyNotTyped(wanted: JsonObject, schema: JSONSchemaProps): string[] {
  const strangers = pruneObject(wanted, schema).unknown.map((path) => `.${path}: field not declared in schema`)
  return [...problemsIn(wanted, schema, ''), ...strangers]
}

const expected: Readonly<Record<string, string>> = {
  integer: 'numeric (int or float)',
  number: 'numeric (int or float)',
  string: 'string',
  boolean: 'boolean',
  object: 'map',
  array: 'list',
}

function problemsIn(value: JsonValue, schema: JSONSchemaProps, path: string): string[] {
  if (value === null) return []
  const type = schema['x-kubernetes-int-or-string'] === true ? undefined : schema.type
  if (type !== undefined && kindOf(value) !== expected[type]) {
    return [`${path}: expected ${expected[type]}, got ${kindOf(value)}`]
  }
  if (isJsonList(value)) return problemsInList(value, schema, path)
  if (!isJsonObject(value)) return []
  return ownEntries(value).flatMap(([name, inner]) => {
    const property = fieldSchema(schema, name)
    return property === undefined ? [] : problemsIn(inner, property, `${path}.${name}`)
  })
}

function kindOf(value: JsonValue): string | undefined {
  if (isJsonList(value)) return 'list'
  return expected[typeof value === 'object' ? 'object' : typeof value]
}

function problemsInList(list: readonly JsonValue[], schema: JSONSchemaProps, path: string): string[] {
  const items = itemsOf(schema)
  const inner = items === undefined ? [] : list.flatMap((item, index) => problemsIn(item, items, `${path}[${index}]`))
  const type = schema['x-kubernetes-list-type']
  if (type !== 'map' && type !== 'set') return inner
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const names = list.map((item) => (type === 'set' ? item : keysOf(item, keys, items)))
  const nameless = names.filter((name) => type === 'map' && Object.keys(name as JsonObject).length === 0)
  const texts = names.map((name) => JSON.stringify(name))
  const twice = texts.filter((text, index) => texts.indexOf(text) !== index)
  return [
    ...inner,
    ...nameless.map(() => `${path}: associative list with keys has an element that omits all key fields`),
    ...new Set(twice.map((text) => `${path}: duplicate entries for key ${text}`)),
  ]
}

function keysOf(item: JsonValue, keys: readonly string[], items: JSONSchemaProps | undefined): JsonObject {
  const map = isJsonObject(item) ? item : {}
  const entries = keys.map((key) => [key, map[key] ?? (items?.properties?.[key]?.default as JsonValue | undefined)])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonObject
}
