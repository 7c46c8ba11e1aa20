import fc from 'fast-check'
import { Secret, mintToken } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { findClaims } from './claims.ts'
import { renewalMs, whyReissue, type WantedToken } from './plan-token.ts'

const NOW = 1_800_000_000_000
const key = new Secret('k'.repeat(32))
const wanted: WantedToken = { username: 'alice', lifetimeMs: 900_000, isRenewed: true }

const issued = (more: Partial<{ username: string; lifetimeSeconds: number; nowMs: number; key: Secret }> = {}) => {
  const claims = { username: 'alice', lifetimeSeconds: 900, nowMs: NOW, random: Math.random, ...more }
  return findClaims(
    mintToken(more.key ?? key, claims)
      .reveal()
      .toString(),
    key,
  )
}

const accidents = [
  { name: 'a token that ended is never replaced', claims: issued(), nowMs: NOW + 900_000, why: /four fifths/ },
  { name: 'a token is renewed only when it has ended', claims: issued(), nowMs: NOW + 720_000, why: /four fifths/ },
  {
    name: 'a key that was rotated leaves a token that nobody accepts',
    claims: issued({ key: new Secret('other') }),
    nowMs: NOW,
    why: /our key/,
  },
  {
    name: 'another user keeps the token of the former one',
    claims: issued({ username: 'bob' }),
    nowMs: NOW,
    why: /bob/,
  },
  { name: 'a shorter lifetime has no effect', claims: issued({ lifetimeSeconds: 3600 }), nowMs: NOW, why: /lifetime/ },
  { name: 'a longer lifetime has no effect', claims: issued({ lifetimeSeconds: 60 }), nowMs: NOW, why: /lifetime/ },
  {
    name: 'a clock that was set back keeps a token of the future',
    claims: issued({ nowMs: NOW + 10_000_000 }),
    nowMs: NOW,
    why: /future/,
  },
]

describe('a Token prevents that', () => {
  for (const { name, claims, nowMs, why } of accidents) {
    test(name, () => expect(whyReissue(wanted, claims, nowMs)).toMatch(why))
  }

  test('a good token is replaced all the time', () => {
    expect(whyReissue(wanted, issued(), NOW)).toBeUndefined()
    expect(whyReissue(wanted, issued(), NOW + 719_000)).toBeUndefined()
  })

  test('a token that is not to be renewed is', () => {
    expect(whyReissue({ ...wanted, isRenewed: false }, issued(), NOW + 10_000_000)).toBeUndefined()
  })

  test('a new token is not good enough, so that the loop never rests', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 2 ** 31 - 2 }),
        fc.nat(2 ** 40),
        fc.string(),
        (lifetimeSeconds, nowMs, username) => {
          const claims = issued({ lifetimeSeconds, nowMs, username })
          const asked = { username, lifetimeMs: lifetimeSeconds * 1000, isRenewed: true }
          expect(whyReissue(asked, claims, nowMs)).toBeUndefined()
          expect(claims && renewalMs(claims)).toBeGreaterThan(nowMs)
        },
      ),
    )
  })

  test('any text, or a token whose signature was cut or changed, is taken for one of ours', () => {
    const good = mintToken(key, { username: 'a', lifetimeSeconds: 60, nowMs: NOW, random: Math.random })
      .reveal()
      .toString()
    fc.assert(fc.property(fc.string(), (text) => findClaims(text, key) === undefined))
    fc.assert(
      fc.property(fc.nat(good.length - 2), (cut) => {
        expect(findClaims(good.slice(0, cut), key)).toBeUndefined()
      }),
    )
  })
})
