import { createHash } from 'node:crypto'
import type { Secret } from '../tokens/secret.ts'
import type { TokenSource } from '../tokens/token-source.ts'

/** Where the tokens of a connection come from. */
export type TokenSettings =
  /** We mint them. */
  | {
      readonly kind: 'signing-key'
      readonly key: Secret
      readonly username?: string
      readonly lifetimeSeconds?: number
    }
  /** Somebody gave us one. */
  | { readonly kind: 'given'; readonly token: Secret }
  /** Somebody gives us one whenever we ask; `name` tells one source from another. */
  | { readonly kind: 'source'; readonly source: TokenSource; readonly name: string }

/** How to connect to one Slurm cluster. */
export interface ConnectionSettings {
  /** One or several slurmrestd, in the order of preference. */
  readonly endpoints: readonly string[]
  readonly token: TokenSettings
  readonly tls?: { readonly ca?: string; readonly serverName?: string }
}

/** Stands for where a connection goes: if it changes, another connection is needed. */
export function addressFingerprint({ endpoints, tls }: ConnectionSettings): string {
  return fingerprint([endpoints, tls?.ca ?? '', tls?.serverName ?? ''])
}

/** Stands for its tokens, and cannot be turned back into them. */
export function tokenFingerprint(token: TokenSettings): string {
  switch (token.kind) {
    case 'signing-key':
      return fingerprint([
        token.kind,
        token.key.digest().toString('hex'),
        token.username ?? '',
        token.lifetimeSeconds ?? 0,
      ])
    case 'given':
      return fingerprint([token.kind, token.token.digest().toString('hex')])
    case 'source':
      return fingerprint([token.kind, token.name])
  }
}

function fingerprint(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
