import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mintToken } from './token.ts'

const key = Buffer.from('thirty-two bytes of a secret key')
const partsOf = (token: string) => token.split('.') as [string, string, string]
const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())

describe('a token prevents that', () => {
  test('Slurm refuses it because a time is a fraction', () => {
    const [, claims] = partsOf(mintToken(key, 'alice', 59.9, 1_000_900))
    expect(decode(claims)).toEqual({ iat: 1000, exp: 1059, sun: 'alice' })
  })

  test('Slurm refuses it because it is signed in another way than it says', () => {
    const [head, claims, signature] = partsOf(mintToken(key, 'slurm', 60))
    expect(decode(head)).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(signature).toBe(createHmac('sha256', key).update(`${head}.${claims}`).digest('base64url'))
  })
})
