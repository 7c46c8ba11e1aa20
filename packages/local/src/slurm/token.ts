import { createHmac } from 'node:crypto'

/** A token for slurmrestd (JWT, HS256). Slurm wants whole seconds and the user in `sun`, and nothing else. */
export function mintToken(signingKey: Buffer, user: string, lifeSeconds: number, nowMs = Date.now()): string {
  const nowSeconds = Math.floor(nowMs / 1000)
  const claims = { iat: nowSeconds, exp: nowSeconds + Math.floor(lifeSeconds), sun: user }
  const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${unsigned}.${createHmac('sha256', signingKey).update(unsigned).digest('base64url')}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
