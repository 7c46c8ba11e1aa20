/**
 * Shapes that several kinds use.
 *
 * @module
 */
import type { Schema } from './schema.ts'

const LONGEST_NAME = 253
const LAST_PORT = 65_535

/** `name` of an object in the same namespace. */
export const localObjectReference = {
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
  properties: {
    name: { type: 'string', default: '', maxLength: LONGEST_NAME, description: 'Its name, in the same namespace.' },
  },
} as const satisfies Schema

/** One entry of a Secret or ConfigMap in the same namespace. */
export const keySelector = {
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
  required: ['key'],
  properties: {
    name: { type: 'string', default: '', maxLength: LONGEST_NAME, description: 'Its name, in the same namespace.' },
    key: { type: 'string', maxLength: LONGEST_NAME, description: 'The entry in it.' },
    optional: { type: 'boolean', description: 'Pods start also when it does not exist.' },
  },
} as const satisfies Schema

/** A list of ConfigMaps. */
export const configMapReferences = {
  type: 'array',
  nullable: true,
  items: localObjectReference,
} as const satisfies Schema

const textMap = { type: 'object', nullable: true, additionalProperties: { type: 'string' } } as const satisfies Schema

/** Labels and annotations for children. */
export const metadata = {
  type: 'object',
  description: 'Labels and annotations to add.',
  properties: {
    labels: { ...textMap, description: 'Labels to add.' },
    annotations: { ...textMap, description: 'Annotations to add.' },
  },
} as const satisfies Schema

/** A container that is merged over ours. */
export const container = {
  type: 'object',
  freeForm: 'Container',
  'x-kubernetes-preserve-unknown-fields': true,
} as const satisfies Schema

/** A pod that is merged over ours. */
export const podTemplate = {
  type: 'object',
  description: 'What to add to the pods.',
  properties: {
    metadata,
    spec: {
      type: 'object',
      freeForm: 'PodSpec',
      'x-kubernetes-preserve-unknown-fields': true,
      description: 'A PodSpec, merged over that of the operator.',
    },
  },
} as const satisfies Schema

/** How the Service of a component looks. */
export const serviceTemplate = {
  type: 'object',
  description: 'What to change about the Service.',
  properties: {
    metadata,
    spec: {
      type: 'object',
      freeForm: 'ServiceSpec',
      'x-kubernetes-preserve-unknown-fields': true,
      description: 'A ServiceSpec; the port and the selector of the operator are added to it.',
    },
    port: {
      type: 'integer',
      minimum: 0,
      maximum: LAST_PORT,
      description: 'The port of the Service; 0 is the usual one.',
    },
    nodePort: {
      type: 'integer',
      minimum: 0,
      maximum: LAST_PORT,
      description: 'The port on every Kube node; 0 lets Kubernetes choose, if the type of the Service needs one.',
    },
  },
} as const satisfies Schema

/** Where a daemon outside of Kubernetes is. */
export function externalConfig<const Port extends number>(defaultPort: Port) {
  return {
    type: 'object',
    required: ['host', 'port'],
    description: 'Where the daemon outside of Kubernetes is.',
    properties: {
      host: { type: 'string', pattern: '^\\S+$', maxLength: LONGEST_NAME, description: 'Its host name or address.' },
      port: { type: 'integer', default: defaultPort, minimum: 1, maximum: LAST_PORT, description: 'Its port.' },
    },
  } as const satisfies Schema
}

/** How many pods. */
export const replicas = {
  type: 'integer',
  format: 'int32',
  default: 1,
  minimum: 0,
  description: 'How many pods there should be.',
} as const satisfies Schema

/** Counters in a status. */
export const count = { type: 'integer', format: 'int32' } as const satisfies Schema

/** A moment. */
export const time = { type: 'string', format: 'date-time' } as const satisfies Schema

/** A number or a share. */
export const intOrString = {
  'x-kubernetes-int-or-string': true,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
} as const satisfies Schema

/** A length of time as Go writes it, such as `1h30m`. */
export const goDuration = {
  type: 'string',
  maxLength: 64,
  pattern:
    '^(0|([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))*$',
} as const satisfies Schema
