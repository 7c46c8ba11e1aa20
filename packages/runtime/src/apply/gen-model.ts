/** Test data of this room: how a server stores and remembers what is applied, as far as the engine must know it. */
import {
  isJsonList,
  isJsonObject,
  ownEntries,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@slurm-operator/kube'
import type { LiveChild } from './child.ts'
import { owner } from './gen.ts'
import { normalizeWanted } from './normalize-wanted.ts'

const keysOf: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  env: ['name'],
  ports: ['containerPort', 'protocol'],
  ownerReferences: ['uid'],
}

/** The fields that an applied value makes ours. */
function fieldsOf(value: JsonValue, name = ''): JsonObject {
  if (isJsonObject(value)) {
    const entries = ownEntries(value).filter(([key]) => !isIdentity(name, key))
    return Object.fromEntries(entries.map(([key, inner]) => [`f:${key}`, fieldsOf(inner, key)]))
  }
  const keys = keysOf[name]
  if (!isJsonList(value) || keys === undefined) return {}
  const inside = (item: JsonValue) => (name === 'ownerReferences' ? {} : { '.': {}, ...fieldsOf(item, 'element') })
  return Object.fromEntries(value.map((item) => [elementOf(item, keys), inside(item)]))
}

function isIdentity(parent: string, key: string): boolean {
  return parent === 'metadata'
    ? key === 'name' || key === 'namespace'
    : parent === '' && (key === 'apiVersion' || key === 'kind')
}

function elementOf(item: JsonValue, keys: readonly string[]): string {
  const map = isJsonObject(item) ? item : {}
  return `k:${JSON.stringify(Object.fromEntries(keys.map((key) => keyed(map, key))))}`
}

/** Ports of Services have another name for their number; a protocol that is missing is TCP. */
function keyed(map: JsonObject, key: string): [string, JsonValue] {
  const name = key === 'containerPort' && map['port'] !== undefined ? 'port' : key
  return [name, map[name] ?? 'TCP']
}

/** The object as it is stored when it was applied by us. */
export function stored(wanted: KubeObject, changes: Partial<LiveChild['metadata']> = {}): LiveChild {
  const object = normalizeWanted(wanted, owner)
  const { metadata, apiVersion, ...rest } = object
  const fieldsV1 = fieldsOf({ ...rest, metadata } as unknown as JsonObject)
  const ours = { manager: 'engine', operation: 'Apply', apiVersion, fieldsType: 'FieldsV1', fieldsV1 }
  const server = { uid: `uid-${metadata.name}`, resourceVersion: '1', creationTimestamp: '2030-01-01T00:00:00Z' }
  return {
    ...object,
    metadata: { ...metadata, name: metadata.name ?? '', ...server, managedFields: [ours], ...changes },
  }
}
