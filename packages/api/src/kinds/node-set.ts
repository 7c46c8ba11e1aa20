import type { KubeObject } from '@slurm-operator/kube'
import { API_GROUP_VERSION } from '../constants.ts'
import { withSchemaDefaults } from '../schema/defaults.ts'
import type { FromSchema, FromSchemaWithDefaults } from '../schema/from-schema.ts'
import { nodeSetStatus } from '../schema/node-set-status.ts'
import type { Schema } from '../schema/schema.ts'
import { container, keySelector, localObjectReference, podTemplate, replicas } from '../schema/shared.ts'
import { updateStrategy } from '../schema/update-strategy.ts'
import { reasonColumn, resourceOf, type KindDefinition, type OurMeta } from './kind.ts'
import { nameRules } from './name-rules.ts'

const retention = { type: 'string', default: 'Retain', enum: ['Retain', 'Delete'] } as const satisfies Schema

const spec = {
  type: 'object',
  required: ['controllerRef'],
  description: 'What the workers should be.',
  properties: {
    controllerRef: { ...localObjectReference, description: 'The Controller of the Slurm cluster.' },
    replicas: { ...replicas, description: 'How many workers there should be; not for scalingMode DaemonSet.' },
    scalingMode: {
      type: 'string',
      default: 'StatefulSet',
      enum: ['DaemonSet', 'StatefulSet'],
      description: 'StatefulSet: a number of workers. DaemonSet: one worker on every Kube node that fits.',
    },
    slurmd: { ...container, description: 'The slurmd container, merged over that of the operator.' },
    ssh: {
      type: 'object',
      required: ['enabled'],
      description: 'Log in to workers by SSH.',
      'x-kubernetes-validations': [
        {
          rule: '!self.enabled || has(self.sssdConfRef)',
          message: 'sssdConfRef is missing: with ssh.enabled, name the Secret with sssd.conf',
        },
      ],
      properties: {
        enabled: { type: 'boolean', default: false, description: 'Run sshd in the workers.' },
        extraSshdConfig: { type: 'string', description: 'Text at the end of sshd_config.' },
        sssdConfRef: { ...keySelector, description: 'The Secret with sssd.conf: who may log in.' },
      },
    },
    logfile: { ...container, description: 'The container that prints the log.' },
    template: {
      ...podTemplate,
      description: 'What to add to the pods. spec.hostname is what the host names of the workers begin with.',
    },
    extraConf: { type: 'string', description: 'Key=Value pairs for the Slurm node, separated by blanks.' },
    partition: {
      type: 'object',
      required: ['enabled'],
      defaultInMemory: {},
      description: 'A partition of these workers alone.',
      properties: {
        enabled: { type: 'boolean', default: false, description: 'Make one, named after the NodeSet.' },
        config: { type: 'string', pattern: '^[^\\n]+$', description: 'Key=Value pairs for it, on one line.' },
      },
    },
    volumeClaimTemplates: {
      freeForm: 'PersistentVolumeClaims',
      nullable: true,
      'x-kubernetes-preserve-unknown-fields': true,
      description: 'PersistentVolumeClaims that every worker gets for itself.',
    },
    updateStrategy,
    revisionHistoryLimit: {
      type: 'integer',
      format: 'int32',
      default: 0,
      minimum: 0,
      description: 'How many old revisions of the pod template to keep.',
    },
    persistentVolumeClaimRetentionPolicy: {
      type: 'object',
      defaultInMemory: {},
      description: 'What becomes of the claims of workers.',
      properties: {
        whenDeleted: { ...retention, description: 'When the NodeSet is deleted.' },
        whenScaled: { ...retention, description: 'When there are fewer workers.' },
      },
    },
    minReadySeconds: {
      type: 'integer',
      format: 'int32',
      minimum: 0,
      description: 'How long a pod must be ready before it counts as available.',
    },
    ordinalPadding: {
      type: 'integer',
      default: 0,
      minimum: 0,
      maximum: 32,
      description: 'How many digits the number in a name has at least: 3 gives worker-007.',
    },
    pinToNode: { type: 'boolean', default: false, description: 'A worker comes back to the Kube node it was on.' },
    workloadDisruptionProtection: {
      type: 'boolean',
      default: true,
      description: 'A disruption budget keeps pods that run jobs from being evicted.',
    },
    pruneSlurmNodeRecords: {
      type: 'string',
      default: 'Never',
      enum: ['Never', 'NodeNotFound'],
      description: 'Whether to delete records of Slurm nodes whose Kube node does not exist any more.',
    },
    oversubscribeNode: { type: 'boolean', default: false, description: 'Several workers may share a Kube node.' },
  },
} as const satisfies Schema

const status = nodeSetStatus

/** slurmd. */
export const nodeSetKind = {
  kind: 'NodeSet',
  plural: 'nodesets',
  singular: 'nodeset',
  shortNames: ['nodesets', 'nss', 'slurmd'],
  description: 'Workers of one Slurm cluster: pods with slurmd that come and go without a job noticing.',
  scalable: true,
  columns: [
    { name: 'DESIRED', type: 'integer', jsonPath: '.status.desired' },
    { name: 'REPLICAS', type: 'integer', jsonPath: '.status.replicas' },
    { name: 'UPDATED', type: 'integer', jsonPath: '.status.updatedReplicas' },
    { name: 'READY', type: 'integer', jsonPath: '.status.readyReplicas' },
    { name: 'IDLE', type: 'integer', jsonPath: '.status.slurmIdle', priority: 1 },
    { name: 'ALLOCATED', type: 'integer', jsonPath: '.status.slurmAllocated', priority: 1 },
    { name: 'DOWN', type: 'integer', jsonPath: '.status.slurmDown', priority: 1 },
    { name: 'DRAIN', type: 'integer', jsonPath: '.status.slurmDrain', priority: 1 },
    { name: 'NODES(A/I/O/T)', type: 'string', jsonPath: '.status.slurmNodes' },
    reasonColumn,
  ],
  rules: nameRules({ longest: 57 }),
  spec,
  status,
} as const satisfies KindDefinition

/** What a user asks for. */
export interface NodeSetSpec extends FromSchema<typeof spec> {}
/** The same with all defaults. */
export interface NodeSetSpecWithDefaults extends FromSchemaWithDefaults<typeof spec> {}
/** What we say about it. */
export interface NodeSetStatus extends FromSchema<typeof status> {}

/** Workers of one Slurm cluster. */
export interface NodeSet extends KubeObject {
  readonly apiVersion: typeof API_GROUP_VERSION
  readonly kind: 'NodeSet'
  readonly metadata: OurMeta
  readonly spec: NodeSetSpec
  readonly status?: NodeSetStatus
}

/** A NodeSet in which nothing that has a default is absent. */
export interface NodeSetWithDefaults extends NodeSet {
  readonly spec: NodeSetSpecWithDefaults
}

/** Where NodeSets are. */
export const nodeSetResource = resourceOf<NodeSet>(nodeSetKind)

/** Fill in what the user left out. Nothing of it is ever written back. */
export function withNodeSetDefaults<T extends NodeSet>(nodeSet: T): T & NodeSetWithDefaults {
  return withSchemaDefaults(nodeSet, spec) as T & NodeSetWithDefaults
}
