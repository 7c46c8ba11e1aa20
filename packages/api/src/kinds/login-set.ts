import type { KubeObject } from '@slurm-operator/kube'
import { API_GROUP_VERSION } from '../constants.ts'
import { withSchemaDefaults } from '../schema/defaults.ts'
import type { FromSchema, FromSchemaWithDefaults } from '../schema/from-schema.ts'
import type { Schema } from '../schema/schema.ts'
import {
  container,
  intOrString,
  keySelector,
  localObjectReference,
  podTemplate,
  replicas,
  serviceTemplate,
} from '../schema/shared.ts'
import { commonStatus, replicaStatus } from '../schema/status.ts'
import { readyColumn, reasonColumn, resourceOf, type KindDefinition, type OurMeta } from './kind.ts'
import { nameRules } from './name-rules.ts'

const spec = {
  type: 'object',
  required: ['controllerRef', 'sssdConfRef'],
  description: 'What the login nodes should be.',
  properties: {
    controllerRef: { ...localObjectReference, description: 'The Controller of the Slurm cluster.' },
    replicas,
    login: { ...container, description: 'The container with sshd, merged over that of the operator.' },
    initconf: { ...container, description: 'The container that prepares /etc/slurm.' },
    template: podTemplate,
    rootSshAuthorizedKeys: { type: 'string', description: 'The authorized_keys of root.' },
    extraSshdConfig: { type: 'string', description: 'Text at the end of sshd_config.' },
    sssdConfRef: { ...keySelector, description: 'The Secret with sssd.conf: who may log in.' },
    strategy: {
      type: 'object',
      description: 'How pods are replaced, as in a Deployment.',
      properties: {
        type: { type: 'string', description: 'RollingUpdate or Recreate.' },
        rollingUpdate: {
          type: 'object',
          description: 'For RollingUpdate.',
          properties: {
            maxSurge: { ...intOrString, description: 'How many pods there may be more, as a number or percentage.' },
            maxUnavailable: { ...intOrString, description: 'How many may be missing, as a number or percentage.' },
          },
        },
      },
    },
    service: serviceTemplate,
  },
} as const satisfies Schema

const status = {
  type: 'object',
  description: 'What the login nodes are.',
  properties: { ...commonStatus, ...replicaStatus },
} as const satisfies Schema

/** sackd and sshd. */
export const loginSetKind = {
  kind: 'LoginSet',
  plural: 'loginsets',
  singular: 'loginset',
  shortNames: ['loginsets', 'lss', 'sackd'],
  description: 'Login nodes of one Slurm cluster: pods with sshd and the commands of Slurm.',
  scalable: true,
  columns: [{ name: 'REPLICAS', type: 'integer', jsonPath: '.status.replicas' }, readyColumn, reasonColumn],
  rules: nameRules({ longest: 63 }),
  spec,
  status,
} as const satisfies KindDefinition

/** What a user asks for. */
export interface LoginSetSpec extends FromSchema<typeof spec> {}
/** The same with all defaults. */
export interface LoginSetSpecWithDefaults extends FromSchemaWithDefaults<typeof spec> {}
/** What we say about it. */
export interface LoginSetStatus extends FromSchema<typeof status> {}

/** Login nodes of one Slurm cluster. */
export interface LoginSet extends KubeObject {
  readonly apiVersion: typeof API_GROUP_VERSION
  readonly kind: 'LoginSet'
  readonly metadata: OurMeta
  readonly spec: LoginSetSpec
  readonly status?: LoginSetStatus
}

/** A LoginSet in which nothing that has a default is absent. */
export interface LoginSetWithDefaults extends LoginSet {
  readonly spec: LoginSetSpecWithDefaults
}

/** Where LoginSets are. */
export const loginSetResource = resourceOf<LoginSet>(loginSetKind)

/** Fill in what the user left out. Nothing of it is ever written back. */
export function withLoginSetDefaults<T extends LoginSet>(loginSet: T): T & LoginSetWithDefaults {
  return withSchemaDefaults(loginSet, spec) as T & LoginSetWithDefaults
}
