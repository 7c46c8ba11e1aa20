import { describe, expect, test } from 'vitest'
import type { KeyPair } from '../key-pair.ts'
import { goodNow } from '../gen.ts'
import { createAuthority, issueCertificate } from '../issue-certificate.ts'
import { MemoryBundles, MemorySecret, SetClock } from './gen.ts'
import { ownCertificates } from './keep-certificates.ts'
import { keeperPass } from './keeper-pass.ts'
import { entries } from './kept.ts'
import type { CertificateStep } from './steps.ts'

const NOW = Date.UTC(2030, 0, 1)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** One replica that runs until the test is over, and a way to let its time go on. */
function startReplica(secrets: MemorySecret, { bundles = new MemoryBundles(0), clock = new SetClock(NOW) } = {}) {
  const used: KeyPair[] = []
  const steps: CertificateStep[] = []
  const failures: unknown[] = []
  const stopping = new AbortController()
  const source = ownCertificates({
    secrets,
    bundles,
    clock,
    names: ['hook.ns.svc'],
    commonName: 'hook',
    policy: { overlapMs: HOUR, servingLifeMs: 9 * HOUR, authorityLifeMs: 30 * HOUR },
    onStep: (step) => steps.push(step),
    onFailure: (error) => failures.push(error),
  })
  const ended = source.run((pair) => used.push(pair), stopping.signal)
  // Only its sleep is left, and not the deadline of a look.
  const isAtRest = () => clock.waiting.length === 1 && clock.waiting[0] !== 30_000
  const rest = async () => {
    await expect.poll(isAtRest, { interval: 2 }).toBe(true)
  }
  const goOn = async (ms: number) => {
    await rest()
    clock.set(clock.now() + ms)
    await rest()
  }
  const stop = async () => {
    stopping.abort()
    await ended
  }
  return { clock, used, steps, failures, rest, goOn, stop, [Symbol.asyncDispose]: stop }
}

describe('keeping certificates', () => {
  test('replicas that start together present different certificates', async () => {
    const secrets = new MemorySecret()
    const replicas = [1, 2, 3, 4].map(() => startReplica(secrets))
    await Promise.all(replicas.map(({ rest }) => rest()))
    expect(secrets.writes).toBe(1)
    for (const { used } of replicas)
      expect(used.map(({ certificate }) => certificate)).toEqual([secrets.text(entries.certificate)])
    await Promise.all(replicas.map(({ stop }) => stop()))
  })

  test('nothing changes, and still something is written or used again', async () => {
    const secrets = new MemorySecret()
    const bundles = new MemoryBundles(1)
    bundles.install('ours', 'a', 'b')
    await using replica = startReplica(secrets, { bundles })
    for (let minute = 0; minute < 30; minute++) await replica.goOn(MINUTE)
    expect({ writes: secrets.writes, patches: bundles.patches, used: replica.used.length }).toEqual({
      writes: 1,
      patches: 1,
      used: 1,
    })
    expect(replica.failures).toEqual([])
  })

  test('the API server does not learn of a new authority, or of one that has gone', async () => {
    const secrets = new MemorySecret()
    const bundles = new MemoryBundles(1)
    bundles.install('ours', 'a', 'b')
    await using replica = startReplica(secrets, { bundles })
    const sizes = new Set<number>()
    for (let minute = 0; minute < 48 * 60; minute += 10) {
      await replica.goOn(10 * MINUTE)
      const trusted = secrets.text(entries.trusted)
      expect(bundles.trusted()).toEqual([trusted, trusted])
      sizes.add(trusted.split('BEGIN').length - 1)
      expect(secrets.stored?.data, 'a key that has done its duty is gone').not.toHaveProperty(entries.nextKey, '')
    }
    expect(sizes).toEqual(new Set([1, 2]))
    const done = replica.steps.map((step) => step.do)
    for (const step of ['create-authority', 'promote-next', 'issue-serving', 'drop-authority'] as const) {
      expect(done.filter((one) => one === step).length, step).toBeGreaterThan(1)
    }
  })

  test('a configuration that comes late, or that somebody resets, is refused by the API server for long', async () => {
    const bundles = new MemoryBundles(1)
    await using replica = startReplica(new MemorySecret(), { bundles })
    await replica.rest()
    bundles.install('ours', 'a')
    await replica.goOn(5000)
    expect(bundles.trusted()[0]).toMatch(/BEGIN/)
    bundles.install('ours', 'b', 'a')
    await replica.goOn(MINUTE)
    expect(bundles.trusted().every((text) => text?.includes('BEGIN'))).toBe(true)
  })

  test('an API server that fails for a while ends the source, or is asked without a pause', async () => {
    const secrets = new MemorySecret()
    let reads = 0
    const broken = Object.assign(secrets, {
      read: async () => {
        if (++reads <= 4) throw new Error('no connection')
        return secrets.stored
      },
    })
    await using replica = startReplica(broken)
    for (const delayMs of [500, 1000, 2000]) {
      await replica.goOn(delayMs - 1)
      const before = reads
      await replica.goOn(1)
      expect(reads).toBe(before + 1)
    }
    await replica.goOn(4000)
    expect(replica.failures).toHaveLength(4)
    expect(replica.used).toHaveLength(1)
  })

  test('an API server that never answers holds us for ever', async () => {
    const secrets = Object.assign(new MemorySecret(), { read: () => new Promise<never>(() => {}) })
    await using replica = startReplica(secrets)
    await expect.poll(() => replica.clock.waiting).toEqual([30_000])
    replica.clock.set(NOW + 30_000)
    await replica.rest()
    expect(replica.failures.map(String)).toEqual([
      'DeadlineError: Cannot keep the certificate: it took longer than 30 s.',
    ])
  })

  test('what cert-manager keeps is overwritten', async () => {
    const secrets = new MemorySecret()
    const authority = await createAuthority('theirs', goodNow())
    const pair = await issueCertificate(authority, { commonName: 'x', servesAs: ['x'] }, goodNow())
    const encode = (text: string) => Buffer.from(text).toString('base64')
    const data = {
      'tls.crt': encode(pair.certificate),
      'tls.key': encode(pair.key),
      'ca.crt': encode(authority.certificate),
    }
    secrets.put(data, { 'cert-manager.io/certificate-name': 'hook' })
    const bundles = new MemoryBundles(1)
    bundles.install('ours', 'a')
    await using replica = startReplica(secrets, { bundles })
    await replica.rest()
    expect(replica.used).toEqual([pair])
    expect(secrets.writes).toBe(0)
    expect(bundles.trusted()).toEqual([authority.certificate])
  })

  test('a Secret of cert-manager that is not filled yet is taken for a certificate', async () => {
    const secrets = new MemorySecret()
    secrets.put({}, { 'cert-manager.io/certificate-name': 'hook' })
    const pass = keeperPass(
      { secrets, clock: new SetClock(NOW), names: ['x'], commonName: 'x' },
      new AbortController().signal,
    )
    await expect(pass).rejects.toThrow('Cannot use the certificate in the Secret: the certificate cannot be read.')
  })

  test('settings that cannot work are found out years later', () => {
    const common = { secrets: new MemorySecret(), clock: new SetClock(NOW), commonName: 'x' }
    expect(() => ownCertificates({ ...common, names: [] })).toThrow('there is no name to serve')
    const policy = { overlapMs: HOUR, servingLifeMs: HOUR, authorityLifeMs: 30 * HOUR }
    expect(() => ownCertificates({ ...common, names: ['x'], policy })).toThrow('Cannot keep own certificates')
  })
})
