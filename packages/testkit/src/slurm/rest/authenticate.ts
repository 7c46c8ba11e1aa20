import { createHmac, timingSafeEqual } from 'node:crypto'
import { administrators, type Restd } from './restd.ts'

/** Who asks, according to slurmctld; undefined: it does not believe the token. */
export function userOf(restd: Restd, headers: Readonly<Record<string, string>>): string | undefined {
  const token = headers['x-slurm-user-token'] ?? /^Bearer (.+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? ''
  const user = userOfToken(token, restd.signingKey, restd.controller.cluster.wallMs)
  const named = headers['x-slurm-user-name']
  if (user === undefined || named === undefined || named === user) return user
  return administrators.includes(user) ? named : undefined
}

/** Did the request bring any token? Without one slurmrestd answers itself. */
export function hasToken(headers: Readonly<Record<string, string>>): boolean {
  return headers['x-slurm-user-token'] !== undefined || headers['authorization'] !== undefined
}

function userOfToken(token: string, key: Uint8Array, wallMs: number): string | undefined {
  const { exp, sun, username } = claimsOf(token, key)
  if (typeof exp !== 'number' || !Number.isInteger(exp) || exp * 1000 <= wallMs) return undefined
  const user = sun ?? username
  return typeof user === 'string' && user !== '' ? user : undefined
}

/** A client shows the same token for an hour; what a key says about it never changes. */
const judged = new WeakMap<Uint8Array, Map<string, Record<string, unknown>>>()

function claimsOf(token: string, key: Uint8Array): Record<string, unknown> {
  const known = judged.get(key) ?? new Map<string, Record<string, unknown>>()
  judged.set(key, known)
  const claims = known.get(token) ?? judge(token, key)
  known.set(token, claims)
  return claims
}

/** Without claims if somebody else has signed it. */
function judge(token: string, key: Uint8Array): Record<string, unknown> {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const expected = createHmac('sha256', key).update(`${head}.${claims}`).digest()
  const given = Buffer.from(signature, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected) ? readClaims(claims) : {}
}

function readClaims(text: string): Record<string, unknown> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof claims === 'object' && claims !== null ? { ...claims } : {}
  } catch {
    return {} // whoever signs nonsense has no name
  }
}
