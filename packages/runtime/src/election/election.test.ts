import { describe, expect, test } from 'vitest'
import { createVirtualClock } from '@slurm-operator/testkit'
import { silentLogger } from '../logging/logger.ts'
import { createLife } from '../loop/gen.ts'
import { Election, type ElectionOptions } from './election.ts'
import { failure, FakeLease, record, storeOn } from './gen.ts'

const hang = () => new Promise<never>(() => {})

function start(options: Partial<ElectionOptions> = {}, server = new FakeLease(), clock = createVirtualClock()) {
  let carry: <T>(call: () => T) => Promise<T> = async (call) => call()
  const { life, ...hands } = createLife()
  const changes: boolean[] = []
  const election = new Election({
    store: storeOn(server, (call) => carry(call)),
    identity: 'me',
    clock,
    random: () => 0.5,
    log: silentLogger,
    onChange: (isLeading) => changes.push(isLeading),
    ...options,
  })
  let end: unknown
  const ended = election.run(life).then(
    () => (end = 'stopped'),
    (error: unknown) => (end = error),
  )
  const network = {
    cut: () => (carry = () => Promise.reject(failure('Unreachable'))),
    hang: () => (carry = hang),
    loseAnswers: () =>
      (carry = async (call) => {
        call()
        throw failure('Unreachable')
      }),
    mend: () => (carry = async (call) => call()),
  }
  return { ...hands, server, clock, election, changes, ended, network, end: () => end }
}

describe('the election prevents that', () => {
  test('the only process waits although nobody leads', async () => {
    const { clock, election, server, state, changes } = start()
    await clock.settle()
    expect([state.isReady, election.gate.mayWrite(), server.holder]).toEqual([true, true, 'me'])
    await clock.advance(60_000)
    expect(election.gate.mayWrite()).toBe(true)
    expect(changes).toEqual([true])
    expect(server.lease?.version, 'one write every two seconds and no read').toBe('31')
  })

  for (const how of ['cut', 'hang', 'loseAnswers'] as const) {
    test(`a leader goes on without an answer (${how}) after its time`, async () => {
      const { clock, election, network, end } = start()
      await clock.settle()
      network[how]()
      await clock.advance(9_999)
      expect(election.gate.mayWrite()).toBe(true)
      await clock.advance(1)
      expect(election.gate.mayWrite()).toBe(false)
      await clock.advance(2_000)
      expect(end()).toMatchObject({ name: 'LeadershipLostError' })
    })
  }

  test('a lost answer, or a 409 because of it, costs the leadership', async () => {
    const { clock, election, network, end } = start()
    await clock.settle()
    for (let n = 0; n < 10; n++) {
      network.loseAnswers()
      await clock.advance(5_000)
      network.mend()
      await clock.advance(5_000)
      expect(election.gate.mayWrite()).toBe(true)
    }
    expect(end()).toBeUndefined()
  })

  test('an outage ends the process although nobody took the Lease', async () => {
    const { clock, election, network, end, changes } = start({ whenUncertain: 'hold' })
    await clock.settle()
    network.hang()
    await clock.advance(300_000)
    expect([election.gate.mayWrite(), end()]).toEqual([false, undefined])
    network.mend()
    await clock.advance(7_000)
    expect(election.gate.mayWrite()).toBe(true)
    expect(changes).toEqual([true])
  })

  test('a leader that held still during an outage writes although somebody else took the Lease', async () => {
    const { clock, election, network, server, end } = start({ whenUncertain: 'hold' })
    await clock.settle()
    network.cut()
    await clock.advance(60_000)
    server.update(record({ holder: 'other' }), server.lease?.version ?? '')
    network.mend()
    await clock.advance(5_000)
    expect(election.gate.mayWrite()).toBe(false)
    expect(String(end())).toContain('Cannot go on as leader: the lease a/b is no longer ours, other has it.')
  })

  test('an answer that comes after its deadline opens the gate', async () => {
    const late = Promise.withResolvers<void>()
    const server = new FakeLease()
    const slow: ElectionOptions['store'] = storeOn(server, async (call) => {
      const answer = call()
      await late.promise
      return answer
    })
    const { clock, election } = start({ store: slow }, server)
    await clock.advance(5_000)
    late.resolve()
    await clock.settle()
    expect(election.gate.mayWrite()).toBe(false)
  })

  test('a renewal counts from its answer, although the process may have been stopped while it waited for it', async () => {
    const clock = createVirtualClock()
    const server = new FakeLease()
    let answers = Promise.resolve()
    const store = storeOn(server, async (call) => {
      const answer = call()
      await answers
      return answer
    })
    const { election } = start({ store }, server, clock)
    await clock.settle()
    const slow = Promise.withResolvers<void>()
    answers = slow.promise
    await clock.advance(2_000 + 4_000) // the renewal is sent after two seconds
    slow.resolve()
    answers = new Promise(() => {})
    await clock.advance(5_999)
    expect(election.gate.mayWrite()).toBe(true)
    await clock.advance(1)
    expect(election.gate.mayWrite()).toBe(false)
  })

  test('a clock that is set forward by an hour ends the process', async () => {
    const { clock, election, end } = start()
    await clock.settle()
    clock.jumpWallClock(3600_000)
    expect(election.gate.mayWrite()).toBe(false)
    await clock.advance(2_000)
    expect([election.gate.mayWrite(), end()]).toEqual([true, undefined])
  })

  test('a standby waits for long after the leader died, or less than its lease', async () => {
    const clock = createVirtualClock()
    const first = start({ identity: 'first' }, new FakeLease(), clock)
    await clock.settle()
    const second = start({ identity: 'second' }, first.server, clock)
    await clock.advance(60_000)
    first.network.hang()
    const diedMs = clock.monotonic()
    await clock.advanceUntil('the second to lead', () => second.election.gate.mayWrite(), 60_000)
    const tookMs = clock.monotonic() - diedMs
    expect(tookMs).toBeGreaterThan(13_000) // up to one retry before its death it was still renewed
    expect(tookMs).toBeLessThan(18_000)
    expect(first.election.gate.mayWrite()).toBe(false)
  })

  test('a process that stops keeps the Lease to itself, or writes after it gave it away', async () => {
    const clock = createVirtualClock()
    const first = start({ identity: 'first' }, new FakeLease(), clock)
    await clock.settle()
    const second = start({ identity: 'second' }, first.server, clock)
    await clock.advance(10_000)
    first.stop()
    expect(first.server.holder).toBe('first')
    await clock.drive(first.ended)
    expect([first.end(), first.election.gate.mayWrite(), first.server.holder]).toEqual(['stopped', false, ''])
    await clock.advance(2_500)
    expect(second.election.gate.mayWrite()).toBe(true)
    expect(first.server.lease?.record.transitions).toBe(1)
    expect(first.changes).toEqual([true, false])
  })

  test('a process that never led cannot be stopped, or takes the Lease of the leader with it', async () => {
    const clock = createVirtualClock()
    const first = start({ identity: 'first' }, new FakeLease(), clock)
    await clock.settle()
    const second = start({ identity: 'second' }, first.server, clock)
    await clock.advance(3_000)
    second.stop()
    await clock.drive(second.ended)
    expect([second.end(), first.server.holder, second.changes]).toEqual(['stopped', 'first', []])
  })

  test('a stopping process hangs because the server does not answer', async () => {
    const { clock, ended, end, network, stop } = start()
    await clock.settle()
    network.hang()
    stop()
    await clock.drive(ended, 6_000)
    expect(end()).toBe('stopped')
  })

  test('a leader whose Lease is deleted by hand gives up, or two of them write', async () => {
    const clock = createVirtualClock()
    const first = start({ identity: 'first' }, new FakeLease(), clock)
    await clock.settle()
    const second = start({ identity: 'second' }, first.server, clock)
    await clock.advance(10_000)
    first.server.delete()
    await clock.advance(30_000)
    expect([first.server.holder, first.election.gate.mayWrite(), second.election.gate.mayWrite()]).toEqual([
      'first',
      true,
      false,
    ])
  })

  test('times that are not safe are accepted', () => {
    const options = { leaseMs: 5_000, renewMs: 10_000, retryMs: 2_000 }
    expect(() => start({ timing: options })).toThrow('Cannot hold an election: the lease must be longer')
  })
})
