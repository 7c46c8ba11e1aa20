import type { KubeObject } from '@slurm-operator/kube'
import { API_GROUP_VERSION, ports } from '../constants.ts'
import { withSchemaDefaults } from '../schema/defaults.ts'
import type { FromSchema, FromSchemaWithDefaults } from '../schema/from-schema.ts'
import { keyFields, keyRules } from '../schema/keys.ts'
import type { Schema } from '../schema/schema.ts'
import { container, externalConfig, keySelector, podTemplate, serviceTemplate } from '../schema/shared.ts'
import { commonStatus } from '../schema/status.ts'
import { readyColumn, reasonColumn, resourceOf, type KindDefinition, type OurMeta } from './kind.ts'
import { nameRules } from './name-rules.ts'

const spec = {
  type: 'object',
  description: 'What the accounting should be.',
  'x-kubernetes-validations': [
    ...keyRules,
    {
      rule: 'self.external || has(self.storageConfig)',
      message: 'storageConfig is missing: say which database slurmdbd should use, or set external: true',
    },
  ],
  properties: {
    ...keyFields,
    external: { type: 'boolean', default: false, description: 'slurmdbd runs outside of Kubernetes.' },
    externalConfig: externalConfig(ports.slurmdbd),
    slurmdbd: { ...container, description: 'The slurmdbd container, merged over that of the operator.' },
    template: podTemplate,
    storageConfig: {
      type: 'object',
      required: ['host', 'passwordKeyRef'],
      description: 'The MariaDB or MySQL database.',
      properties: {
        host: { type: 'string', pattern: '^[^\\r\\n]*$', description: 'Its host.' },
        port: { type: 'integer', default: 3306, minimum: 1, maximum: 65_535, description: 'Its port.' },
        database: {
          type: 'string',
          default: 'slurm_acct_db',
          pattern: '^[^\\r\\n]*$',
          description: 'The name of the database.',
        },
        username: { type: 'string', pattern: '^[^\\r\\n]*$', description: 'The user of the database.' },
        passwordKeyRef: { ...keySelector, description: 'The Secret with its password.' },
      },
    },
    extraConf: { type: 'string', description: 'Text at the end of slurmdbd.conf.' },
    service: serviceTemplate,
  },
} as const satisfies Schema

const status = {
  type: 'object',
  description: 'What the accounting is.',
  properties: commonStatus,
} as const satisfies Schema

/** slurmdbd. */
export const accountingKind = {
  kind: 'Accounting',
  plural: 'accountings',
  singular: 'accounting',
  shortNames: ['slurmdbd'],
  description: 'The records of jobs and users: slurmdbd in front of a database.',
  scalable: false,
  columns: [readyColumn, reasonColumn],
  rules: nameRules({ longest: 63, longestManaged: 41 }),
  spec,
  status,
} as const satisfies KindDefinition

/** What a user asks for. */
export interface AccountingSpec extends FromSchema<typeof spec> {}
/** The same with all defaults. */
export interface AccountingSpecWithDefaults extends FromSchemaWithDefaults<typeof spec> {}
/** What we say about it. */
export interface AccountingStatus extends FromSchema<typeof status> {}

/** The accounting of one or more Slurm clusters. */
export interface Accounting extends KubeObject {
  readonly apiVersion: typeof API_GROUP_VERSION
  readonly kind: 'Accounting'
  readonly metadata: OurMeta
  readonly spec: AccountingSpec
  readonly status?: AccountingStatus
}

/** An Accounting in which nothing that has a default is absent. */
export interface AccountingWithDefaults extends Accounting {
  readonly spec: AccountingSpecWithDefaults
}

/** Where Accountings are. */
export const accountingResource = resourceOf<Accounting>(accountingKind)

/** Fill in what the user left out. Nothing of it is ever written back. */
export function withAccountingDefaults<T extends Accounting>(accounting: T): T & AccountingWithDefaults {
  return withSchemaDefaults(accounting, spec) as T & AccountingWithDefaults
}
