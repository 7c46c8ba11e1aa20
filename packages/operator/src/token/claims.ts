import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '@slurm-operator/slurm'

/** What a token that we issued says. Times are epoch milliseconds. */
export interface Claims {
  readonly username: string
  readonly issuedAtMs: number
  readonly expiresAtMs: number
}

/** Read a token, if it is one and this key has signed it. */
export function findClaims(token: string, key: Secret): Claims | undefined {
  const [head, payload, signature, ...rest] = token.trim().split('.')
  if (head === undefined || payload === undefined || signature === undefined || rest.length > 0) return undefined
  if (!isSignedBy(key, `${head}.${payload}`, signature)) return undefined
  return claimsOf(payload)
}

function isSignedBy(key: Secret, text: string, signature: string): boolean {
  const expected = createHmac('sha256', key.reveal()).update(text).digest()
  const given = Buffer.from(signature, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function claimsOf(payload: string): Claims | undefined {
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>
    const { sun, iat, exp } = claims
    if (typeof sun !== 'string' || typeof iat !== 'number' || typeof exp !== 'number') return undefined
    return { username: sun, issuedAtMs: iat * 1000, expiresAtMs: exp * 1000 }
  } catch {
    return undefined // signed by the key and yet no token: somebody else's idea of one
  }
}
