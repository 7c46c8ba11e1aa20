import type { Schema } from './schema.ts'

const quantity = {
  'x-kubernetes-int-or-string': true,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern:
    '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
} as const satisfies Schema

const quantities = { type: 'object', additionalProperties: quantity } as const satisfies Schema

const texts = { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } } as const satisfies Schema

const source = {
  apiGroup: { type: 'string', description: 'The group of its kind; none for the core group.' },
  kind: { type: 'string', description: 'Its kind.' },
  name: { type: 'string', description: 'Its name.' },
} as const satisfies Readonly<Record<string, Schema>>

const selector = {
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
  description: 'Which volumes may be bound.',
  properties: {
    matchLabels: { type: 'object', additionalProperties: { type: 'string' }, description: 'Labels they must have.' },
    matchExpressions: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      description: 'Requirements on their labels.',
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: {
          key: { type: 'string', description: 'The label.' },
          operator: { type: 'string', description: 'In, NotIn, Exists or DoesNotExist.' },
          values: { ...texts, description: 'The values for In and NotIn.' },
        },
      },
    },
  },
} as const satisfies Schema

/** Where slurmctld keeps its state: our own fields and those of a PersistentVolumeClaimSpec, side by side. */
export const persistence = {
  type: 'object',
  required: ['enabled'],
  description: 'Where slurmctld keeps its state.',
  defaultInMemory: {},
  properties: {
    enabled: { type: 'boolean', default: true, description: 'Keep the state when the pod goes.' },
    existingClaim: { type: 'string', maxLength: 253, description: 'Use this PersistentVolumeClaim; do not make one.' },
    accessModes: { ...texts, defaultInMemory: ['ReadWriteOnce'], description: 'How the volume may be mounted.' },
    selector,
    resources: {
      type: 'object',
      defaultInMemory: { requests: { storage: '4Gi' } },
      description: 'The size of the volume.',
      properties: {
        limits: { ...quantities, description: 'At most.' },
        requests: { ...quantities, description: 'At least.' },
      },
    },
    volumeName: { type: 'string', description: 'The volume to bind.' },
    storageClassName: { type: 'string', description: 'The StorageClass; the default one if absent.' },
    volumeMode: { type: 'string', description: 'Filesystem or Block.' },
    volumeAttributesClassName: { type: 'string', description: 'The VolumeAttributesClass.' },
    dataSource: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      required: ['kind', 'name'],
      properties: source,
      description: 'What the volume is filled with.',
    },
    dataSourceRef: {
      type: 'object',
      required: ['kind', 'name'],
      properties: { ...source, namespace: { type: 'string', description: 'Its namespace.' } },
      description: 'What the volume is filled with, of any kind.',
    },
  },
} as const satisfies Schema
