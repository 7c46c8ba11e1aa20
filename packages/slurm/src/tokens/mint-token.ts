import { createHmac } from 'node:crypto'
import type { Random } from '../client/clock.ts'
import { Secret } from './secret.ts'

/** What a token says. */
export interface TokenClaims {
  /** The Slurm user it stands for; SlurmUser and root are administrators. */
  readonly username: string
  readonly lifetimeSeconds: number
  readonly nowMs: number
  readonly random: Random
}

/** The longest life that is not "for ever" to Slurm. */
const LONGEST_SECONDS = 2 ** 31 - 2

/** A token for slurmrestd, signed with the raw bytes of the key (HS256). Times are whole seconds: Slurm refuses others. */
export function mintToken(signingKey: Secret, claims: TokenClaims): Secret {
  const now = Math.floor(claims.nowMs / 1000)
  const lifetime = Math.min(Math.max(0, Math.floor(claims.lifetimeSeconds)), LONGEST_SECONDS)
  const head = encode({ alg: 'HS256', typ: 'JWT' })
  const payload = encode({
    jti: randomUuid(claims.random),
    iss: 'slurm-operator',
    iat: now,
    nbf: now,
    exp: now + lifetime,
    sun: claims.username,
  })
  const signature = createHmac('sha256', signingKey.reveal()).update(`${head}.${payload}`).digest('base64url')
  return new Secret(`${head}.${payload}.${signature}`)
}

/** When a given token ends, in epoch milliseconds; undefined if it does not say so in a way we can read. */
export function tokenExpiry(token: Secret): number | undefined {
  const [, payload = ''] = token.reveal().toString('utf8').split('.')
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined
  } catch {
    return undefined // not a JWT: Slurm will say what it thinks of it
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** A version 4 UUID out of the given chance, so that a simulation can be repeated. */
function randomUuid(random: Random): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16))
  digits[12] = '4'
  digits[16] = (8 + Math.floor(random() * 4)).toString(16)
  const text = digits.join('')
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
}
