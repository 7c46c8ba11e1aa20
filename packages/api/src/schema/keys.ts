/**
 * The keys by which the parts of Slurm trust each other; a Controller and an Accounting have the same fields for them.
 *
 * @module
 */
import type { ValidationRule } from '@slurm-operator/kube'
import type { Schema } from './schema.ts'
import { keySelector } from './shared.ts'

/** The field for the key of `auth/jwt`, and the older name of it. */
export const jwtKeyFields = {
  jwtKeyRef: { ...keySelector, description: 'The Secret with the HS256 key that tokens are signed with.' },
  jwtHs256KeyRef: { ...keySelector, description: 'The old name of jwtKeyRef, used when that is absent.' },
} as const satisfies Readonly<Record<string, Schema>>

/** All key fields of a daemon. */
export const keyFields = {
  slurmKeyRef: { ...keySelector, description: 'The Secret with the key of auth/slurm.' },
  ...jwtKeyFields,
  jwksKeyRef: {
    ...keySelector,
    description: 'The ConfigMap with the JWKS file that tokens of somebody else are checked with.',
  },
} as const satisfies Readonly<Record<string, Schema>>

/** A daemon that we run needs keys; one that we do not run needs an address. */
export const keyRules = [
  {
    rule: 'self.external || has(self.slurmKeyRef)',
    message: 'slurmKeyRef is missing: name the Secret with the key of auth/slurm, or set external: true',
  },
  {
    rule: 'self.external || has(self.jwtKeyRef) || has(self.jwtHs256KeyRef)',
    message: 'jwtKeyRef is missing: name the Secret with the key that tokens are signed with, or set external: true',
  },
  {
    rule: '!self.external || has(self.externalConfig)',
    message: 'externalConfig is missing: with external: true, say the host and port of the daemon',
  },
] as const satisfies readonly ValidationRule[]
