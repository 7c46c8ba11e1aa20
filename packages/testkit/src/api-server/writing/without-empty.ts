import { isJsonList, isJsonObject, type JsonObject, type JsonValue, ownEntries } from '@slurm-operator/kube'

/** Kinds with JSON of others in them, which must stay as it is. */
export const holdsFreeJson: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'ControllerRevision'])

/** Fields that are maps in Go; other fields that hold `{}` are structs, and those stay. */
const maps: ReadonlySet<string> = new Set([
  ...[
    'annotations',
    'binaryData',
    'capacity',
    'allocatable',
    'data',
    'labels',
    'limits',
    'matchLabels',
    'nodeSelector',
  ],
  ...['parameters', 'requests', 'stringData', 'volumeAttributes'],
])

/** Lists that Go writes even when they are empty. */
const alwaysWritten: ReadonlySet<string> = new Set(['rules', 'containers', 'addresses', 'endpoints', 'podSelector'])

/** Built-in kinds cannot hold a null, an empty list or an empty map: each is the same as nothing. */
export function withoutEmpty(value: JsonValue): JsonValue {
  if (!holdsEmpty(value)) return value // nearly always, and what stays the same object need not be compared again
  if (isJsonList(value)) return value.map(withoutEmpty)
  return isJsonObject(value) ? withoutEmptyFields(value) : value
}

function holdsEmpty(value: JsonValue): boolean {
  if (isJsonList(value)) return value.some(holdsEmpty)
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(([name, inner]) => inner === undefined || isEmpty(name, inner) || holdsEmpty(inner))
}

function withoutEmptyFields(map: JsonObject): JsonObject {
  const kept = ownEntries(map).filter(([name, value]) => !isEmpty(name, value))
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutEmpty(value)]))
}

function isEmpty(name: string, value: JsonValue): boolean {
  if (value === null) return true
  if (isJsonList(value)) return value.length === 0 && !alwaysWritten.has(name)
  return isJsonObject(value) && Object.keys(value).length === 0 && maps.has(name)
}
