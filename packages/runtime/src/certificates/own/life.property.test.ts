/**
 * Years of an authority's life with a clock that obeys: replicas that look at odd moments and race each other, clients
 * that know the authorities of some time ago. Real keys, real signatures; only the time is not real.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { X509Certificate } from 'node:crypto'
import { isSignedBy, splitCertificates } from '../read-certificate.ts'
import { MemorySecret, passOptions, SetClock } from './gen.ts'
import { keeperPass } from './keeper-pass.ts'
import { entries } from './kept.ts'
import type { CertificatePolicy } from './policy.ts'

const HOUR = 3600_000
const START = Date.UTC(2030, 0, 1)
const signal = new AbortController().signal

/** Parsing and verifying are slow, and the same few certificates come again and again. */
const parsed = new Map<string, X509Certificate>()
const verified = new Map<string, boolean>()

function parse(text: string): X509Certificate {
  const certificate = parsed.get(text) ?? new X509Certificate(text)
  parsed.set(text, certificate)
  return certificate
}

function verify(certificate: X509Certificate, authority: X509Certificate): boolean {
  const both = certificate.fingerprint256 + authority.fingerprint256
  const answer = verified.get(both) ?? isSignedBy(certificate, authority)
  verified.set(both, answer)
  return answer
}

/** What could be read from the Secret at one moment. */
interface Sight {
  readonly atMs: number
  readonly serving: X509Certificate
  readonly trusted: readonly X509Certificate[]
}

function sightOf(secret: MemorySecret, atMs: number): Sight {
  const trusted = splitCertificates(secret.text(entries.trusted)).map(parse)
  return { atMs, serving: parse(secret.text(entries.certificate)), trusted }
}

/** Why a client with one sight cannot verify a server with another one. */
function whyRefused(client: Sight, server: Sight, nowMs: number): string | undefined {
  const authority = client.trusted.find((candidate) => verify(server.serving, candidate))
  if (authority === undefined) return `authority unknown: client of ${client.atMs}, server of ${server.atMs}`
  const isGood = ({ validFromDate, validToDate }: X509Certificate) => +validFromDate <= nowMs && nowMs < +validToDate
  if (!isGood(server.serving)) return `serving certificate not good at ${nowMs}`
  return isGood(authority) ? undefined : `authority not good at ${nowMs}`
}

const anyPolicy: fc.Arbitrary<CertificatePolicy> = fc
  .record({
    overlap: fc.integer({ min: 2, max: 48 }),
    serving: fc.integer({ min: 6, max: 12 }),
    more: fc.integer({ min: 0, max: 10 }),
  })
  .map(({ overlap, serving, more }) => ({
    overlapMs: overlap * HOUR,
    servingLifeMs: serving * overlap * HOUR,
    authorityLifeMs: (2 * (serving + 2) + more) * overlap * HOUR,
  }))

/** Moments at which somebody looks, in shares of an overlap: never more than one apart. */
const anyMoments = fc.array(
  fc.record({ step: fc.double({ min: 0.01, max: 1, noNaN: true }), racers: fc.integer({ min: 1, max: 3 }) }),
  {
    minLength: 150,
    maxLength: 250,
  },
)

test('at some moment a client that read within the overlap cannot verify a server that read within the overlap', async () => {
  const lives = { authorities: new Set<string>(), servings: new Set<string>() }
  await fc.assert(
    fc.asyncProperty(anyPolicy, anyMoments, async (policy, moments) => {
      const secret = new MemorySecret()
      const clock = new SetClock(START)
      let recent: Sight[] = []
      for (const { step, racers } of moments) {
        const before = recent
        clock.set(clock.now() + Math.round(step * policy.overlapMs))
        const options = { ...passOptions(secret, clock), policy }
        const passes = await Promise.all(Array.from({ length: racers }, () => keeperPass(options, signal)))
        expect(new Set(passes.map(({ pair }) => pair.certificate)).size, 'replicas that race agree').toBe(1)

        const now = sightOf(secret, clock.now())
        // What was read at the last look was still to be read until this one changed it: it is as young as this moment.
        const last = before.at(-1)
        const young = [...before, ...(last ? [{ ...last, atMs: now.atMs }] : []), now]
        recent = young.filter(({ atMs }) => atMs >= now.atMs - policy.overlapMs)
        for (const one of recent) {
          expect(whyRefused(one, now, now.atMs)).toBeUndefined()
          expect(whyRefused(now, one, now.atMs)).toBeUndefined()
        }
        expect(now.trusted.length).toBeLessThanOrEqual(2)
        for (const { fingerprint256 } of now.trusted) lives.authorities.add(fingerprint256)
        lives.servings.add(now.serving.fingerprint256)
      }
    }),
    { numRuns: 8, endOnFailure: true }, // a smaller life would take minutes to find, and tell no more,
  )
  expect(lives.authorities.size, 'the test saw authorities change').toBeGreaterThan(12)
  expect(lives.servings.size, 'and certificates').toBeGreaterThan(30)
}, 120_000)

test('a broken, foreign or half-written Secret is never healed, or healing it costs the clients their trust', async () => {
  const rubbish = fc.constantFrom('', 'nonsense', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
  const damage = fc.record({ entry: fc.constantFrom(...Object.values(entries)), text: fc.option(rubbish) })
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 5 }), fc.boolean(), async (damages, changing) => {
      const secret = new MemorySecret()
      const clock = new SetClock(START)
      const options = passOptions(secret, clock)
      const policy = { overlapMs: HOUR, servingLifeMs: 8 * HOUR, authorityLifeMs: 30 * HOUR }
      for (let look = 0; look < (changing ? 21 : 1); look++) {
        await keeperPass({ ...options, policy }, signal)
        clock.set(clock.now() + HOUR)
      }
      const data = { ...secret.stored?.data, 'not-ours': '/w==' }
      for (const { entry, text } of damages)
        Object.assign(data, { [entry]: Buffer.from(text ?? '').toString('base64') })
      secret.put(data)
      for (let look = 0; look < 4; look++) {
        await keeperPass({ ...options, policy }, signal)
        const sight = sightOf(secret, clock.now())
        expect(whyRefused(sight, sight, clock.now())).toBeUndefined()
        clock.set(clock.now() + HOUR / 2)
      }
      expect(secret.stored?.data['not-ours']).toBe('/w==')
    }),
    { numRuns: 60, endOnFailure: true },
  )
}, 60_000)
