import { createClientOn, leaseResource, type Client, type Lease, type Live } from '@slurm-operator/kube'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Election } from '../election/election.ts'
import { createLeaseStore } from '../election/kube-lease-store.ts'
import { silentLogger } from '../logging/logger.ts'
import { createLife } from '../loop/gen.ts'
import { breakableTransport, type BreakableTransport } from './breakable-transport.ts'
import { eventually, pass, type GetServer, type ServerUnderTest } from './gen.ts'

const timing = { leaseMs: 3_000, renewMs: 2_000, retryMs: 300 }
let count = 0

/** A process that would like to lead, with its own way to the server. */
class Contender {
  readonly election: Election
  readonly way: BreakableTransport
  readonly ended: Promise<void>
  readonly changes: boolean[] = []
  /** Why it ended; undefined: it lives. */
  end: unknown
  readonly stop: () => void

  constructor({ transport, clock }: ServerUnderTest, place: Place, identity: string) {
    this.way = breakableTransport(transport)
    const store = createLeaseStore(createClientOn(this.way.transport, { clock, retry: { maxTries: 1 } }), place)
    const onChange = (isLeading: boolean) => void this.changes.push(isLeading)
    const parts = { store, identity, clock, timing, onChange, random: Math.random, log: silentLogger }
    this.election = new Election(parts)
    const { life, stop } = createLife()
    this.stop = stop
    this.ended = this.election.run(life).then(
      () => void (this.end = 'stopped'),
      (error: unknown) => void (this.end = error),
    )
  }

  get leads(): boolean {
    return this.election.gate.mayWrite()
  }
}

interface Place {
  readonly namespace: string
  readonly name: string
}

/** The election, on the Lease of a server. */
export function electionContract(getServer: GetServer): void {
  describe('an election', () => {
    let place: Place
    let others: Client
    let contenders: Contender[]

    beforeEach(() => {
      const { transport, clock } = getServer()
      others = createClientOn(transport, { clock })
      place = { namespace: 'default', name: `election-${++count}` }
      contenders = []
    })
    afterEach(async () => {
      for (const one of contenders) one.stop()
      await getServer().wait(Promise.all(contenders.map(({ ended }) => ended)))
    })

    const enter = (identity: string): Contender => {
      const contender = new Contender(getServer(), place, identity)
      contenders.push(contender)
      return contender
    }
    const lease = (): Promise<Live<Lease>> => others.resource(leaseResource).get(place)
    const change = (body: object) => others.resource(leaseResource).patch(place, { type: 'merge', body })
    const leaders = () => contenders.filter(({ leads }) => leads)
    /** Wait, and look all the time that nobody leads beside another. */
    const until = async (what: string, isTrue: () => boolean | Promise<boolean>) => {
      const startMs = getServer().clock.monotonic()
      await eventually(getServer(), what, () => {
        expect(leaders().length, 'leaders at once').toBeLessThanOrEqual(1)
        return isTrue()
      })
      return getServer().clock.monotonic() - startMs
    }

    test('makes the Lease as other Kubernetes programs read it', async () => {
      const one = enter('one')
      await until('a leader', () => one.leads)
      const { spec } = await lease()
      expect(spec).toMatchObject({ holderIdentity: 'one', leaseDurationSeconds: 3, leaseTransitions: 0 })
      for (const time of [spec?.acquireTime, spec?.renewTime])
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    })

    test('is renewed again and again, and what others wrote into the Lease stays', async () => {
      const one = enter('one')
      await until('a leader', () => one.leads)
      const first = await lease()
      await change({ metadata: { labels: { team: 'x' } } })
      await pass(getServer(), 2 * timing.leaseMs)
      const later = await lease()
      expect([one.leads, one.changes]).toEqual([true, [true]])
      expect(later.metadata.labels).toEqual({ team: 'x' })
      expect(later.spec?.acquireTime).toBe(first.spec?.acquireTime)
      expect(Date.parse(later.spec?.renewTime ?? '')).toBeGreaterThan(Date.parse(first.spec?.renewTime ?? ''))
    })

    test('of several that begin at once has one winner, and the others wait', async () => {
      for (const name of ['one', 'two', 'three', 'four']) enter(name)
      await until('a leader', () => leaders().length === 1)
      const [winner] = leaders()
      await pass(getServer(), timing.leaseMs)
      expect(leaders()).toEqual([winner])
      expect(contenders.map(({ end }) => end)).toEqual([undefined, undefined, undefined, undefined])
      expect((await lease()).spec?.leaseTransitions).toBe(0)
    })

    test('is given up by who stops, and the next one need not wait', async () => {
      const one = enter('one')
      await until('a leader', () => one.leads)
      const two = enter('two')
      await pass(getServer(), timing.retryMs)
      one.stop()
      const tookMs = await until('the next leader', () => two.leads)
      expect(tookMs).toBeLessThan(timing.leaseMs / 2)
      expect([one.end, one.leads, one.changes]).toEqual(['stopped', false, [true, false]])
      expect((await lease()).spec).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 })
    })

    test('that the last one gave up is nobody’s', async () => {
      const one = enter('one')
      await until('a leader', () => one.leads)
      one.stop()
      await getServer().wait(one.ended)
      expect((await lease()).spec?.holderIdentity).toBe('')
    })

    test('is lost by who cannot renew before somebody else may win it', async () => {
      const one = enter('one')
      await until('a leader', () => one.leads)
      const two = enter('two')
      await pass(getServer(), 2 * timing.retryMs)
      one.way.cut()
      const tookMs = await until('the next leader', () => two.leads)
      expect(tookMs).toBeGreaterThan(timing.renewMs - timing.retryMs)
      expect(tookMs).toBeLessThan(timing.leaseMs + timing.renewMs)
      expect(one.end).toMatchObject({ name: 'LeadershipLostError' })
      expect((await lease()).spec).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 })
    })

    test('survives an outage that is shorter than the time to renew', async () => {
      const one = enter('one')
      await until('a leader', () => one.leads)
      one.way.cut()
      await pass(getServer(), timing.retryMs * 2)
      one.way.mend()
      await pass(getServer(), timing.leaseMs)
      expect([one.leads, one.changes]).toEqual([true, [true]])
    })

    test('that somebody took by force is lost at the next renewal', async () => {
      const one = enter('one')
      await until('a leader', () => one.leads)
      await change({ spec: { holderIdentity: 'thief', renewTime: (await lease()).spec?.renewTime } })
      await until('the loss', () => one.end !== undefined)
      expect(String(one.end)).toContain('is no longer ours, thief has it')
      expect((await lease()).spec?.holderIdentity).toBe('thief')
    })

    test('whose Lease was deleted goes on: the leader makes it again, and nobody else does', async () => {
      const one = enter('one')
      await until('a leader', () => one.leads)
      enter('two')
      await pass(getServer(), 2 * timing.retryMs)
      const { uid } = (await lease()).metadata
      await others.resource(leaseResource).delete(place)
      const isThere = async () => (await others.resource(leaseResource).find(place)) !== undefined
      await until('the new Lease', isThere)
      await pass(getServer(), timing.leaseMs)
      const next = await lease()
      expect(next.metadata.uid).not.toBe(uid)
      expect([next.spec?.holderIdentity, one.changes]).toEqual(['one', [true]])
    })

    test('that two write at the same moment is won by one of them', async () => {
      const stores = [createLeaseStore(others, place), createLeaseStore(others, place)]
      const limit = { timeoutMs: 5_000, signal: new AbortController().signal }
      const record = { holder: 'one', durationSeconds: 3, acquiredAtMs: 1, renewedAtMs: 1, transitions: 0 }
      const failures = async (writes: readonly Promise<unknown>[]) =>
        (await Promise.allSettled(writes)).flatMap((each) =>
          each.status === 'rejected' ? [each.reason as object] : [],
        )
      const created = stores.map((store) => store.create(record, limit))
      expect(await failures(created)).toMatchObject([{ reason: 'AlreadyExists' }])
      const [version = ''] = await Promise.all(stores.map(async (store) => (await store.read(limit))?.version))
      const updated = stores.map((store, n) => store.update({ ...record, renewedAtMs: 2 + n }, version, limit))
      expect(await failures(updated)).toMatchObject([{ reason: 'Conflict' }])
      const unread = createLeaseStore(others, place).update({ ...record, holder: 'late' }, version, limit)
      expect(await failures([unread])).toMatchObject([{ reason: 'Conflict' }])
    })
  })
}
