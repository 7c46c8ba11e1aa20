import type { KubeObject } from '@slurm-operator/kube'
import { API_GROUP_VERSION, DEFAULT_CLUSTER_TOKEN_KEY } from '../constants.ts'
import { withSchemaDefaults } from '../schema/defaults.ts'
import type { FromSchema, FromSchemaWithDefaults } from '../schema/from-schema.ts'
import type { Schema } from '../schema/schema.ts'
import { localObjectReference } from '../schema/shared.ts'
import { commonStatus, slurmFacts } from '../schema/status.ts'
import { reasonColumn, resourceOf, type KindDefinition, type OurMeta } from './kind.ts'

const spec = {
  type: 'object',
  description: 'How to reach Slurm: through a Controller of ours, or at a server with a token.',
  'x-kubernetes-validations': [
    {
      rule: 'has(self.controllerRef) != has(self.server)',
      message: 'say either controllerRef (a Controller in this namespace) or server (the URL of a slurmrestd)',
    },
    {
      rule: '!has(self.server) || has(self.token)',
      message: 'token is missing: name the Secret with the token for the server',
    },
  ],
  properties: {
    controllerRef: {
      ...localObjectReference,
      description: 'The Controller whose cluster it is.',
      'x-kubernetes-validations': [{ rule: "self.name != ''", message: 'controllerRef.name is missing' }],
    },
    server: {
      type: 'string',
      maxLength: 2048,
      pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
      description: 'The URL of slurmrestd, such as http://slurm.example.com:6820.',
    },
    token: {
      type: 'object',
      required: ['secretRef'],
      description: 'Who we are there.',
      properties: {
        secretRef: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          required: ['name'],
          description: 'The Secret with the token.',
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 253, description: 'Its name, in the same namespace.' },
            key: {
              type: 'string',
              default: DEFAULT_CLUSTER_TOKEN_KEY,
              minLength: 1,
              maxLength: 253,
              description: 'The entry in it.',
            },
          },
        },
      },
    },
  },
} as const satisfies Schema

const status = {
  type: 'object',
  description: 'What Slurm says.',
  properties: {
    ...commonStatus,
    isReady: { type: 'boolean', description: 'Slurm answers; the same as the condition Ready.' },
    slurm: slurmFacts,
  },
} as const satisfies Schema

/** The connection to slurmrestd. */
export const clusterKind = {
  kind: 'Cluster',
  plural: 'clusters',
  singular: 'cluster',
  shortNames: ['slurmclusters'],
  description: 'The connection to one Slurm cluster, inside or outside of Kubernetes, and what it says about itself.',
  scalable: false,
  columns: [
    { name: 'READY', type: 'boolean', jsonPath: '.status.isReady', description: 'Whether Slurm answers.' },
    reasonColumn,
    { name: 'VERSION', type: 'string', jsonPath: '.status.slurm.version' },
    { name: 'NODES(A/I/O/T)', type: 'string', jsonPath: '.status.slurm.nodes.summary' },
    { name: 'RUNNING', type: 'integer', jsonPath: '.status.slurm.jobs.running' },
    { name: 'PENDING', type: 'integer', jsonPath: '.status.slurm.jobs.pending' },
    { name: 'LAST CONTACT', type: 'date', jsonPath: '.status.slurm.lastContactTime' },
  ],
  spec,
  status,
} as const satisfies KindDefinition

/** What a user asks for. */
export interface ClusterSpec extends FromSchema<typeof spec> {}
/** The same with all defaults. */
export interface ClusterSpecWithDefaults extends FromSchemaWithDefaults<typeof spec> {}
/** What we say about it. */
export interface ClusterStatus extends FromSchema<typeof status> {}

/** The connection to one Slurm cluster. */
export interface Cluster extends KubeObject {
  readonly apiVersion: typeof API_GROUP_VERSION
  readonly kind: 'Cluster'
  readonly metadata: OurMeta
  readonly spec: ClusterSpec
  readonly status?: ClusterStatus
}

/** A Cluster in which nothing that has a default is absent. */
export interface ClusterWithDefaults extends Cluster {
  readonly spec: ClusterSpecWithDefaults
}

/** Where Clusters are. */
export const clusterResource = resourceOf<Cluster>(clusterKind)

/** Fill in what the user left out. Nothing of it is ever written back. */
export function withClusterDefaults<T extends Cluster>(cluster: T): T & ClusterWithDefaults {
  return withSchemaDefaults(cluster, spec) as T & ClusterWithDefaults
}
