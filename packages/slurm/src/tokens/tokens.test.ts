import { createHmac } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Clock } from '../client/clock.ts'
import { cleanToken, givenTokenSource } from './given-token-source.ts'
import { mintToken, tokenExpiry } from './mint-token.ts'
import { Secret } from './secret.ts'
import { signingKeySource } from './signing-key-source.ts'
import { SwappableTokenSource } from './swappable-source.ts'

const key = new Secret('the-signing-key')
const text = (token: Secret): string => token.reveal().toString()

function movableClock(nowMs = 1_000_000): Clock & { nowMs: number } {
  const clock = { nowMs, now: () => clock.nowMs, monotonic: () => clock.nowMs, schedule: () => () => {} }
  return clock
}

function claimsOf(token: Secret): Record<string, unknown> {
  return JSON.parse(Buffer.from(text(token).split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
}

describe('minting prevents that', () => {
  test('slurmctld refuses the token for its times or its user', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 4e12, noNaN: true }),
        fc.double({ min: -10, max: 1e12, noNaN: true }),
        (nowMs, lifetimeSeconds) => {
          const claims = claimsOf(mintToken(key, { username: 'slurm', lifetimeSeconds, nowMs, random: () => 0.5 }))
          expect(Object.keys(claims)).toEqual(['jti', 'iss', 'iat', 'nbf', 'exp', 'sun'])
          for (const name of ['iat', 'nbf', 'exp']) expect(Number.isSafeInteger(claims[name])).toBe(true)
          expect(Number(claims['exp']) - Number(claims['iat'])).toBeGreaterThanOrEqual(0)
          expect(Number(claims['exp']) - Number(claims['iat'])).toBeLessThan(2 ** 31 - 1)
          expect(claims).toMatchObject({ iss: 'slurm-operator', sun: 'slurm' })
          expect(claims['jti']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        },
      ),
    )
  })

  test('the signature is not over the raw bytes of the key', () => {
    const odd = new Secret(Buffer.from([0, 255, 128, 10]))
    const [head, payload, signature] = text(
      mintToken(odd, { username: 'root', lifetimeSeconds: 60, nowMs: 0, random: Math.random }),
    ).split('.')
    expect(JSON.parse(Buffer.from(head ?? '', 'base64url').toString())).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(signature).toBe(
      createHmac('sha256', Buffer.from([0, 255, 128, 10]))
        .update(`${head}.${payload}`)
        .digest('base64url'),
    )
  })
})

describe('the signing key source prevents that', () => {
  test('a token is minted for every request, or used until it has ended', async () => {
    const clock = movableClock()
    const source = signingKeySource({ readKey: () => key, clock, random: Math.random, lifetimeSeconds: 100 })
    const first = await source.current()
    clock.nowMs += 79_000
    expect(await source.current()).toBe(first)
    clock.nowMs += 2000
    const second = await source.current()
    expect(tokenExpiry(second)).toBeGreaterThan(tokenExpiry(first) ?? 0)
  })

  test('a changed key is not found', async () => {
    let stored = new Secret('old')
    const source = signingKeySource({ readKey: () => stored, clock: movableClock(), random: Math.random })
    const first = await source.current()
    stored = new Secret('new')
    expect(await source.current()).toBe(first)
    source.refuse(first)
    const second = await source.current()
    const [head, payload, signature] = text(second).split('.')
    expect(signature).toBe(createHmac('sha256', 'new').update(`${head}.${payload}`).digest('base64url'))
  })

  test('a slurmctld whose clock is an hour ahead never believes a token', async () => {
    const clock = movableClock()
    const source = signingKeySource({ readKey: () => key, clock, random: Math.random })
    const first = await source.current()
    expect(tokenExpiry(first)).toBeLessThanOrEqual(clock.nowMs + 15 * 60_000)
    source.refuse(first)
    expect(tokenExpiry(await source.current())).toBeGreaterThan(clock.nowMs + 61 * 60_000)
  })

  test('two callers with the same refused token throw away its successor', async () => {
    const source = signingKeySource({ readKey: () => key, clock: movableClock(), random: Math.random })
    const first = await source.current()
    source.refuse(first)
    const second = await source.current()
    source.refuse(first)
    expect(await source.current()).toBe(second)
  })
})

describe('the given token source prevents that', () => {
  test('a new token is noticed only after the old one has failed', async () => {
    let stored = new Secret('one')
    let changed = (): void => {}
    const source = givenTokenSource({
      read: () => stored,
      watch: (tell) => ((changed = tell), () => {}),
      clock: movableClock(),
    })
    let told = 0
    source.onChange(() => told++)
    expect(text(await source.current())).toBe('one')
    stored = new Secret('two')
    expect(text(await source.current())).toBe('one')
    changed()
    expect(told).toBe(1)
    expect(text(await source.current())).toBe('two')
  })

  test('a token that has ended is sent until the end of days', async () => {
    const clock = movableClock()
    const mint = (): Secret =>
      mintToken(key, { username: 'x', lifetimeSeconds: 10, nowMs: clock.nowMs, random: Math.random })
    let stored = mint()
    const source = givenTokenSource({ read: () => stored, clock })
    const first = await source.current()
    clock.nowMs += 11_000
    stored = mint()
    expect(text(await source.current())).not.toBe(text(first))
  })

  test('a token is refused because of how it was stored', () => {
    expect(text(cleanToken(new Secret('SLURM_JWT=abc.def\n')))).toBe('abc.def')
    expect(text(cleanToken(new Secret('  abc.def  ')))).toBe('abc.def')
    expect(() => cleanToken(new Secret(' \n'))).toThrow('it is empty')
    expect(() => cleanToken(new Secret('abc\r\nEvil: header'))).toThrow('blanks or characters')
  })
})

test('a swapped source keeps the old token, or its watch', async () => {
  let closed = 0
  const given = (token: string) =>
    givenTokenSource({ read: () => new Secret(token), watch: () => () => closed++, clock: movableClock() })
  const source = new SwappableTokenSource(given('one'))
  let told = 0
  source.onChange(() => told++)
  await source.current()
  source.swap(given('two'))
  expect([text(await source.current()), told, closed]).toEqual(['two', 1, 1])
})

test('a secret shows up in a log', () => {
  const secret = new Secret('hunter2-hunter2')
  const holder = { secret, list: [secret], map: new Map([['a', secret]]) }
  const prints = [
    inspect(holder, { depth: 9, showHidden: true }),
    JSON.stringify(holder),
    String(secret),
    inspect(new Error('x', { cause: secret })),
  ]
  for (const print of prints) expect(print).not.toMatch(/hunter2|68 75 6e 74/)
  expect(secret.equals(new Secret('hunter2-hunter2'))).toBe(true)
  expect(secret.equals(new Secret('hunter3'))).toBe(false)
})
