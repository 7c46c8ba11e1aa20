import type { KubeObject } from '@slurm-operator/kube'
import { API_GROUP_VERSION } from '../constants.ts'
import { withSchemaDefaults } from '../schema/defaults.ts'
import type { FromSchema, FromSchemaWithDefaults } from '../schema/from-schema.ts'
import type { Schema } from '../schema/schema.ts'
import { container, localObjectReference, podTemplate, replicas, serviceTemplate } from '../schema/shared.ts'
import { commonStatus, replicaStatus } from '../schema/status.ts'
import { readyColumn, reasonColumn, resourceOf, type KindDefinition, type OurMeta } from './kind.ts'
import { nameRules } from './name-rules.ts'

const spec = {
  type: 'object',
  required: ['controllerRef'],
  description: 'What the REST API should be.',
  properties: {
    controllerRef: { ...localObjectReference, description: 'The Controller of the Slurm cluster.' },
    replicas,
    slurmrestd: { ...container, description: 'The slurmrestd container, merged over that of the operator.' },
    template: podTemplate,
    service: serviceTemplate,
  },
} as const satisfies Schema

const status = {
  type: 'object',
  description: 'What the REST API is.',
  properties: { ...commonStatus, ...replicaStatus },
} as const satisfies Schema

/** slurmrestd. */
export const restApiKind = {
  kind: 'RestApi',
  plural: 'restapis',
  singular: 'restapi',
  shortNames: ['slurmrestd'],
  description: 'The REST API of one Slurm cluster: slurmrestd. The operator itself talks to Slurm through it.',
  scalable: false,
  columns: [readyColumn, reasonColumn, { name: 'REPLICAS', type: 'integer', jsonPath: '.status.readyReplicas' }],
  rules: nameRules({ longest: 55 }),
  spec,
  status,
} as const satisfies KindDefinition

/** What a user asks for. */
export interface RestApiSpec extends FromSchema<typeof spec> {}
/** The same with all defaults. */
export interface RestApiSpecWithDefaults extends FromSchemaWithDefaults<typeof spec> {}
/** What we say about it. */
export interface RestApiStatus extends FromSchema<typeof status> {}

/** The REST API of one Slurm cluster. */
export interface RestApi extends KubeObject {
  readonly apiVersion: typeof API_GROUP_VERSION
  readonly kind: 'RestApi'
  readonly metadata: OurMeta
  readonly spec: RestApiSpec
  readonly status?: RestApiStatus
}

/** A RestApi in which nothing that has a default is absent. */
export interface RestApiWithDefaults extends RestApi {
  readonly spec: RestApiSpecWithDefaults
}

/** Where RestApis are. */
export const restApiResource = resourceOf<RestApi>(restApiKind)

/** Fill in what the user left out. Nothing of it is ever written back. */
export function withRestApiDefaults<T extends RestApi>(restApi: T): T & RestApiWithDefaults {
  return withSchemaDefaults(restApi, spec) as T & RestApiWithDefaults
}
