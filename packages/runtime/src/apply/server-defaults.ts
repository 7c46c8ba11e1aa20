/**
 * What API servers put into values that we own as a whole: into elements of atomic lists and into atomic maps. Anywhere
 * else the server's own fields are not ours and are not compared at all.
 *
 * The table need not be complete. What is missing here costs one apply that changes nothing, and `NoOpMemory` learns
 * from it; what is wrong here could hide a difference, so it holds only what built-in kinds surely do.
 *
 * @module
 */
import { isJsonObject, leadsTo, type FieldNames, type JsonValue } from '@slurm-operator/kube'

interface ServerDefault {
  readonly at: FieldNames
  readonly is: (value: JsonValue) => boolean
}

const exactly = (expected: JsonValue) => (value: JsonValue) => value === expected
const anything = () => true

const defaults: readonly ServerDefault[] = [
  { at: ['fieldRef', 'apiVersion'], is: exactly('v1') },
  { at: ['resourceFieldRef', 'divisor'], is: exactly('0') },
  { at: ['serviceAccountToken', 'expirationSeconds'], is: exactly(3600) },
  { at: ['volumeClaimTemplates', 'apiVersion'], is: exactly('v1') },
  { at: ['volumeClaimTemplates', 'kind'], is: exactly('PersistentVolumeClaim') },
  { at: ['volumeClaimTemplates', 'spec', 'volumeMode'], is: exactly('Filesystem') },
  { at: ['volumeClaimTemplates', 'status'], is: anything },
  { at: ['volumeClaimTemplates', 'metadata', 'creationTimestamp'], is: exactly(null) },
  { at: ['ingress', 'ports', 'protocol'], is: exactly('TCP') },
  { at: ['egress', 'ports', 'protocol'], is: exactly('TCP') },
  { at: ['rules', 'scope'], is: exactly('*') },
]

/** Whether a field that we did not name was put there by the server. */
export function isServerDefault(at: FieldNames, value: JsonValue): boolean {
  return defaults.some((known) => leadsTo(at, known.at) && known.is(value))
}

/** Fields that Go writes even if they are empty, because they are pointers: for them `''` is not the same as nothing. */
const pointers: ReadonlySet<string> = new Set([
  'storageClassName',
  'volumeAttributesClassName',
  'apiGroup',
  'volumeMode',
])
const maps: ReadonlySet<string> = new Set(['labels', 'annotations', 'matchLabels', 'limits', 'requests'])

/** Whether the server stores nothing at all for this value, in a field of this name of a built-in kind. */
export function isStoredAsNothing(name: string, value: JsonValue): boolean {
  if (value === null) return true
  if (value === '') return !pointers.has(name)
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0 && maps.has(name)
}
