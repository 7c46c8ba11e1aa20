import {
  apiVersionOf,
  applySchema,
  schemaNames,
  type ApplyField,
  type KubeObject,
  type Resource,
} from '@slurm-operator/kube'
import { freeTopology, type Topology } from './topology.ts'

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/** Structs without pointers, and lists that Go writes even when they are nil: nobody ever adds them. */
const alwaysThere: ReadonlySet<string> = new Set([
  ...['metadata', 'spec', 'status', 'template', 'strategy', 'updateStrategy', 'containers', 'names', 'acceptedNames'],
  ...[
    'resources',
    'loadBalancer',
    'nodeInfo',
    'daemonEndpoints',
    'kubeletEndpoint',
    'target',
    'regarding',
    'involvedObject',
  ],
])

/** Holds whatever somebody put there; owned as one value. */
const opaque: ReadonlySet<string> = new Set(['io.k8s.api.apps.v1.ControllerRevision.data'])

/** What the table does not mention: scalars, and maps whose entries are. No built-in kind has maps of maps. */
const plain: Topology = {
  ...freeTopology,
  names: () => true,
  isAlwaysThere: (name) => alwaysThere.has(name),
  field: () => plain,
  element: () => plain,
}

/** How the fields of a built-in kind are owned. */
export function builtinTopology(resource: Resource<KubeObject>): Topology {
  return topologyOf(schemaNames[`${apiVersionOf(resource)} ${resource.kind}`] ?? '', {})
}

/** How `metadata` is owned; the same for all kinds. */
export const metadataTopology: Topology = topologyOf(OBJECT_META, {})

function topologyOf(type: string, { listType, keys = [], mapType }: ApplyField): Topology {
  const inner = new Map<string, Topology>()
  let element: Topology | undefined
  return {
    ...plain,
    isAtomicMap: mapType === 'atomic',
    listType: listType ?? 'atomic',
    keys,
    keyDefault: (key) => (key === 'protocol' ? 'TCP' : undefined),
    field: (name) => {
      const known = inner.get(name) ?? fieldOf(type, name)
      if (known !== plain) inner.set(name, known)
      return known
    },
    element: () => (element ??= topologyOf(type, {})),
  }
}

function fieldOf(type: string, name: string): Topology {
  if (opaque.has(`${type}.${name}`)) return topologyOf('', { mapType: 'atomic' })
  const fields = applySchema[type] ?? {}
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return field === undefined ? plain : topologyOf(field.of ?? '', field)
}
