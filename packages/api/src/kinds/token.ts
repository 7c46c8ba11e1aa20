import type { KubeObject } from '@slurm-operator/kube'
import { API_GROUP_VERSION, DEFAULT_TOKEN_LIFETIME } from '../constants.ts'
import { withSchemaDefaults } from '../schema/defaults.ts'
import type { FromSchema, FromSchemaWithDefaults } from '../schema/from-schema.ts'
import { jwtKeyFields } from '../schema/keys.ts'
import type { Schema } from '../schema/schema.ts'
import { goDuration, keySelector, time } from '../schema/shared.ts'
import { commonStatus } from '../schema/status.ts'
import { readyColumn, reasonColumn, resourceOf, type KindDefinition, type OurMeta } from './kind.ts'

const spec = {
  type: 'object',
  required: ['username'],
  description: 'Which token to keep.',
  'x-kubernetes-validations': [
    {
      rule: 'has(self.jwtKeyRef) || has(self.jwtHs256KeyRef)',
      message: 'jwtKeyRef is missing: name the Secret with the key that tokens are signed with',
    },
  ],
  properties: {
    ...jwtKeyFields,
    username: {
      type: 'string',
      maxLength: 256,
      pattern: '^[^\\x00-\\x1f\\x7f]*$',
      description: 'The Slurm user it is for; nobody if empty.',
    },
    lifetime: {
      ...goDuration,
      defaultInMemory: DEFAULT_TOKEN_LIFETIME,
      description: 'How long it is valid, such as 15m or 1h30m. It is renewed when four fifths of it are over.',
      'x-kubernetes-validations': [
        {
          rule: "duration(self) >= duration('10s') && duration(self) <= duration('876000h')",
          message: 'lifetime must be between 10s and 876000h (100 years)',
        },
      ],
    },
    refresh: {
      type: 'boolean',
      default: true,
      description: 'Renew it; if false, the Secret is made once and cannot be changed.',
    },
    secretRef: { ...keySelector, description: 'The Secret to make; <name>-jwt-<username> with SLURM_JWT if absent.' },
  },
} as const satisfies Schema

const status = {
  type: 'object',
  description: 'What was issued.',
  properties: {
    ...commonStatus,
    issuedAt: { ...time, description: 'When the token was issued.' },
    expirationTime: { ...time, description: 'When it ends.' },
    nextRenewalTime: { ...time, description: 'When it will be renewed.' },
  },
} as const satisfies Schema

/** A JWT. */
export const tokenKind = {
  kind: 'Token',
  plural: 'tokens',
  singular: 'token',
  shortNames: ['tokens', 'jwt'],
  description: 'A token for one Slurm user, signed by the operator and kept fresh in a Secret.',
  scalable: false,
  columns: [
    { name: 'USER', type: 'string', jsonPath: '.spec.username' },
    { name: 'IAT', type: 'date', jsonPath: '.status.issuedAt' },
    readyColumn,
    reasonColumn,
    { name: 'EXPIRES', type: 'string', jsonPath: '.status.expirationTime', priority: 1 },
  ],
  spec,
  status,
} as const satisfies KindDefinition

/** What a user asks for. */
export interface TokenSpec extends FromSchema<typeof spec> {}
/** The same with all defaults. */
export interface TokenSpecWithDefaults extends FromSchemaWithDefaults<typeof spec> {}
/** What we say about it. */
export interface TokenStatus extends FromSchema<typeof status> {}

/** A token that is kept fresh in a Secret. */
export interface Token extends KubeObject {
  readonly apiVersion: typeof API_GROUP_VERSION
  readonly kind: 'Token'
  readonly metadata: OurMeta
  readonly spec: TokenSpec
  readonly status?: TokenStatus
}

/** A Token in which nothing that has a default is absent. */
export interface TokenWithDefaults extends Token {
  readonly spec: TokenSpecWithDefaults
}

/** Where Tokens are. */
export const tokenResource = resourceOf<Token>(tokenKind)

/** Fill in what the user left out. Nothing of it is ever written back. */
export function withTokenDefaults<T extends Token>(token: T): T & TokenWithDefaults {
  return withSchemaDefaults(token, spec) as T & TokenWithDefaults
}
