import { isJsonObject, ownEntries, ownValue, type JsonObject, type JsonValue } from '@slurm-operator/kube'
import type { OwnedElement } from './owned-fields.ts'

/** What stands for a key that an element leaves out; built-in kinds have no other. */
const keyDefaults: Readonly<Record<string, JsonValue>> = { protocol: 'TCP' }

/** Whether an element is the one meant. */
export function isElement(item: JsonValue, { is, identity }: OwnedElement): boolean {
  if (is === 'value') return item === identity
  return isJsonObject(item) && isJsonObject(identity) && hasKeys(item, identity)
}

function hasKeys(item: JsonObject, keys: JsonObject): boolean {
  return Object.entries(keys).every(([key, value]) => (ownValue(item, key) ?? keyDefaults[key]) === value)
}

/** The element meant; undefined if it is not in the list. */
export function findElement(list: readonly JsonValue[], element: OwnedElement): JsonValue | undefined {
  return list.find((item) => isElement(item, element))
}

/** How people find an element: `[name=main]`. */
export function printElement({ identity }: OwnedElement): string {
  if (!isJsonObject(identity)) return `[${printPart(identity)}]`
  const parts = ownEntries(identity).map(([key, value]) => `${key}=${printPart(value)}`)
  return `[${parts.join(',')}]`
}

function printPart(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
