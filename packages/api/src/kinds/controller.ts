import type { KubeObject } from '@slurm-operator/kube'
import { API_GROUP_VERSION, ports } from '../constants.ts'
import { withSchemaDefaults } from '../schema/defaults.ts'
import type { FromSchema, FromSchemaWithDefaults } from '../schema/from-schema.ts'
import { keyFields, keyRules } from '../schema/keys.ts'
import { metrics } from '../schema/metrics.ts'
import { persistence } from '../schema/persistence.ts'
import type { Schema } from '../schema/schema.ts'
import {
  configMapReferences,
  container,
  externalConfig,
  localObjectReference,
  podTemplate,
  serviceTemplate,
} from '../schema/shared.ts'
import { commonStatus, slurmFacts } from '../schema/status.ts'
import { readyColumn, reasonColumn, resourceOf, type KindDefinition, type OurMeta } from './kind.ts'
import { nameRules } from './name-rules.ts'

/** Each is a line of slurm.conf: without a bound, one object would use up the memory that is there for all. */
const MOST_BACKUPS = 31

const spec = {
  type: 'object',
  description: 'What the control plane of one Slurm cluster should be.',
  'x-kubernetes-validations': [
    ...keyRules,
    {
      rule: '!has(self.ha) || !self.ha.enabled || (has(self.persistence) && self.persistence.enabled && has(self.persistence.existingClaim) && size(self.persistence.existingClaim) > 0)',
      message: 'ha needs persistence.existingClaim: several slurmctld share their state on one claim (ReadWriteMany)',
    },
  ],
  properties: {
    clusterName: {
      type: 'string',
      maxLength: 40,
      pattern: '^([A-Za-z0-9_][A-Za-z0-9_.-]*)?$',
      description: 'The ClusterName of slurm.conf; <namespace>_<name> if absent. It cannot be changed later.',
    },
    ...keyFields,
    accountingRef: { ...localObjectReference, description: 'The Accounting that keeps the records of jobs.' },
    external: { type: 'boolean', default: false, description: 'slurmctld runs outside of Kubernetes.' },
    externalConfig: externalConfig(ports.slurmctld),
    ha: {
      type: 'object',
      required: ['enabled'],
      description: 'More than one slurmctld.',
      properties: {
        enabled: { type: 'boolean', default: false, description: 'Run backups beside the primary.' },
        backups: {
          type: 'integer',
          format: 'int32',
          default: 1,
          minimum: 1,
          maximum: MOST_BACKUPS,
          description: 'How many backups.',
        },
      },
    },
    slurmctld: { ...container, description: 'The slurmctld container, merged over that of the operator.' },
    inplaceReconfigure: {
      type: 'boolean',
      default: false,
      description: 'Tell slurmctld to read a changed configuration, rather than to start it again.',
    },
    reconfigure: { ...container, description: 'The container that tells it, with inplaceReconfigure.' },
    logfile: { ...container, description: 'The container that prints the log.' },
    template: podTemplate,
    extraConf: { type: 'string', description: 'Text at the end of slurm.conf.' },
    configFileRefs: { ...configMapReferences, description: 'ConfigMaps whose entries are files in /etc/slurm.' },
    prologScriptRefs: { ...configMapReferences, description: 'ConfigMaps with prolog scripts of worker nodes.' },
    epilogScriptRefs: { ...configMapReferences, description: 'ConfigMaps with epilog scripts of worker nodes.' },
    prologSlurmctldScriptRefs: { ...configMapReferences, description: 'ConfigMaps with prolog scripts of slurmctld.' },
    epilogSlurmctldScriptRefs: { ...configMapReferences, description: 'ConfigMaps with epilog scripts of slurmctld.' },
    persistence,
    service: serviceTemplate,
    metrics,
  },
} as const satisfies Schema

const status = {
  type: 'object',
  description: 'What the control plane is.',
  properties: { ...commonStatus, slurm: slurmFacts },
} as const satisfies Schema

/** slurmctld. */
export const controllerKind = {
  kind: 'Controller',
  plural: 'controllers',
  singular: 'controller',
  shortNames: ['slurmctld'],
  description: 'The control plane of one Slurm cluster: slurmctld, its configuration and its state.',
  scalable: false,
  columns: [
    readyColumn,
    reasonColumn,
    { name: 'VERSION', type: 'string', jsonPath: '.status.slurm.version' },
    { name: 'NODES(A/I/O/T)', type: 'string', jsonPath: '.status.slurm.nodes.summary' },
    { name: 'RUNNING', type: 'integer', jsonPath: '.status.slurm.jobs.running', priority: 1 },
    { name: 'PENDING', type: 'integer', jsonPath: '.status.slurm.jobs.pending', priority: 1 },
    { name: 'LAST CONTACT', type: 'date', jsonPath: '.status.slurm.lastContactTime', priority: 1 },
  ],
  rules: nameRules({ longest: 49, longestManaged: 41 }),
  spec,
  status,
} as const satisfies KindDefinition

/** What a user asks for. */
export interface ControllerSpec extends FromSchema<typeof spec> {}
/** The same with all defaults. */
export interface ControllerSpecWithDefaults extends FromSchemaWithDefaults<typeof spec> {}
/** What we say about it. */
export interface ControllerStatus extends FromSchema<typeof status> {}

/** The control plane of one Slurm cluster. */
export interface Controller extends KubeObject {
  readonly apiVersion: typeof API_GROUP_VERSION
  readonly kind: 'Controller'
  readonly metadata: OurMeta
  readonly spec: ControllerSpec
  readonly status?: ControllerStatus
}

/** A Controller in which nothing that has a default is absent. */
export interface ControllerWithDefaults extends Controller {
  readonly spec: ControllerSpecWithDefaults
}

/** Where Controllers are. */
export const controllerResource = resourceOf<Controller>(controllerKind)

/** Fill in what the user left out. Nothing of it is ever written back. */
export function withControllerDefaults<T extends Controller>(controller: T): T & ControllerWithDefaults {
  return withSchemaDefaults(controller, spec) as T & ControllerWithDefaults
}
