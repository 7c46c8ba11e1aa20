import type { JSONSchemaProps } from '@slurm-operator/kube'
import { metadataTopology } from './builtin-topology.ts'
import { freeTopology, type Topology } from './topology.ts'

/** How the fields of a custom kind are owned, by the schema of its CRD. */
export function customTopology(schema: JSONSchemaProps | undefined): Topology {
  const root = topologyOf(schema)
  return {
    ...root,
    names: (name) => name === 'metadata' || root.names(name),
    isAlwaysThere: (name) => name === 'metadata',
    field: (name) => (name === 'metadata' ? metadataTopology : root.field(name)),
  }
}

/** Every write walks the whole schema, and schemas do not change: a new one is a new object. */
const known = new WeakMap<JSONSchemaProps, Topology>()

function topologyOf(schema: JSONSchemaProps | undefined): Topology {
  if (schema === undefined) return freeTopology
  const topology = known.get(schema) ?? readTopology(schema)
  known.set(schema, topology)
  return topology
}

function readTopology(schema: JSONSchemaProps): Topology {
  const items = schema.items as JSONSchemaProps | undefined
  const listType = schema['x-kubernetes-list-type']
  return {
    isAtomicMap: schema['x-kubernetes-map-type'] === 'atomic',
    listType: listType === 'map' || listType === 'set' ? listType : 'atomic',
    keys: schema['x-kubernetes-list-map-keys'] ?? [],
    keyDefault: (key) => scalarOf(items?.properties?.[key]?.default),
    names: (name) => Object.hasOwn(schema.properties ?? {}, name),
    isAlwaysThere: () => false,
    field: (name) => topologyOf(fieldOf(schema, name)),
    element: () => topologyOf(items),
  }
}

function fieldOf(
  { properties = {}, additionalProperties }: JSONSchemaProps,
  name: string,
): JSONSchemaProps | undefined {
  if (Object.hasOwn(properties, name)) return properties[name]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

function scalarOf(value: unknown): string | number | boolean | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}
