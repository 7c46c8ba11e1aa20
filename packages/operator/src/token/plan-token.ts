/**
 * When a token is issued anew. Pure: what is asked for, what is there, and what time it is.
 *
 * @module
 */
import type { Claims } from './claims.ts'

/** What the Token asks for. */
export interface WantedToken {
  readonly username: string
  readonly lifetimeMs: number
  readonly isRenewed: boolean
}

/** Of the lifetime, what is left when it is renewed. */
const LEFT_AT_RENEWAL = 0.2

/** Slurm counts in whole seconds, so a lifetime may come back a little shorter. */
const ROUNDING_MS = 1_000

/** Why a new token is needed; undefined: the one that is there will do. */
export function whyReissue(wanted: WantedToken, claims: Claims | undefined, nowMs: number): string | undefined {
  if (claims === undefined) return 'there is none that our key has signed'
  if (claims.username !== wanted.username) return `it is for ${claims.username}, not for ${wanted.username}`
  const lifetimeMs = claims.expiresAtMs - claims.issuedAtMs
  if (Math.abs(lifetimeMs - wanted.lifetimeMs) > ROUNDING_MS) return 'its lifetime is not the wanted one'
  if (claims.issuedAtMs > nowMs + wanted.lifetimeMs) return 'it was issued in the future'
  if (!wanted.isRenewed) return undefined
  return nowMs >= renewalMs(claims) ? 'four fifths of its life are over' : undefined
}

/** When it is renewed. */
export function renewalMs({ issuedAtMs, expiresAtMs }: Claims): number {
  return expiresAtMs - (expiresAtMs - issuedAtMs) * LEFT_AT_RENEWAL
}
