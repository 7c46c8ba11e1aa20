import { isJsonObject, type JSONSchemaProps, type JsonValue } from '@slurm-operator/kube'
import { causes, type Cause } from '../objects/failure.ts'
import { fieldPath } from './schema-place.ts'

/** No element of a set, and no key of a map, may occur twice. */
export function validateListType(list: readonly JsonValue[], schema: JSONSchemaProps, path: string): Cause[] {
  const type = schema['x-kubernetes-list-type']
  if (type === 'set') return findDuplicates(list, path)
  if (type !== 'map') return []
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const identities = list.map((item) => (isJsonObject(item) ? keysIn(item, keys) : item))
  const strangers = list.flatMap((item, index) =>
    isJsonObject(item)
      ? []
      : [causes.invalid(fieldPath(path, index), item, 'must be an object for an array of list-type map')],
  )
  return [...strangers, ...findDuplicates(identities, path)]
}

function keysIn(item: { readonly [key: string]: JsonValue | undefined }, keys: readonly string[]): JsonValue {
  return Object.fromEntries(keys.flatMap((key) => (item[key] === undefined ? [] : [[key, item[key]]])))
}

function findDuplicates(values: readonly JsonValue[], path: string): Cause[] {
  const seen = new Set<string>()
  return values.flatMap((value, index) => {
    const text = JSON.stringify(value)
    if (seen.has(text)) return [causes.duplicate(fieldPath(path, index), value)]
    seen.add(text)
    return []
  })
}
