import { describe, expect, test } from 'vitest'
import type { StoredLease } from './lease.ts'
import { planMove, releasedRecord, see, type Self, type Sighting } from './plan-move.ts'
import { defaultTiming } from './timing.ts'
import { record } from './gen.ts'

const self = (nowMs: number, isCertain = false): Self => ({
  identity: 'me',
  isCertain,
  timing: defaultTiming,
  nowMs,
  wallMs: 5_000_000,
})
const stored = (values = {}, version = '1'): StoredLease => ({ record: record(values), version })
const seen = (lease: StoredLease | undefined, sinceMs: number, vanished = false): Sighting => ({
  lease,
  sinceMs,
  vanished,
})

describe('planning prevents that', () => {
  test('a living leader is pushed out, because its clock is wrong by a day', () => {
    const lease = stored({ renewedAtMs: -86_400_000 })
    expect(planMove(seen(lease, 1000), self(15_999))).toEqual({ kind: 'wait', untilMs: 16_000, holder: 'other' })
    expect(planMove(seen(lease, 1000), self(16_000))).toMatchObject({ kind: 'update', version: '1' })
  })

  test('a Lease that its leader gave up is waited for', () => {
    const lease = stored(releasedRecord(record(), 7))
    expect(lease.record).toMatchObject({ holder: '', durationSeconds: 1, renewedAtMs: 7 })
    const move = planMove(seen(lease, 1000), self(1000))
    expect(move).toMatchObject({ kind: 'update', record: { holder: 'me', transitions: 1, acquiredAtMs: 5_000_000 } })
  })

  test('our own Lease, whose answer got lost, is waited for or counted as a change of leaders', () => {
    const move = planMove(seen(stored({ holder: 'me', transitions: 3, acquiredAtMs: 4 }), 1000), self(1000))
    expect(move).toMatchObject({
      kind: 'update',
      record: { holder: 'me', transitions: 3, acquiredAtMs: 4, renewedAtMs: 5_000_000 },
    })
  })

  test('the leader of a deleted Lease still writes while the next one begins', () => {
    const gone = see(seen(stored(), 0), undefined, 1000)
    expect(planMove(gone, self(15_999))).toEqual({ kind: 'wait', untilMs: 16_000, holder: '' })
    expect(planMove(see(gone, undefined, 9000), self(16_000)).kind, 'counted from the first look').toBe('create')
  })

  test('a leader whose Lease is deleted gives up, or a former one takes it back', () => {
    const gone = see(seen(stored({ holder: 'me' }), 0), undefined, 1000)
    expect(planMove(gone, self(1000, true)).kind).toBe('create')
    expect(planMove(gone, self(1000, false)).kind).toBe('wait')
  })

  test('the very first process waits for nobody', () => {
    expect(planMove(see(undefined, undefined, 0), self(0))).toMatchObject({
      kind: 'create',
      record: { transitions: 0, durationSeconds: 15 },
    })
  })

  test('a Lease that was free when we last saw it, and then was taken and deleted, is believed to be free', () => {
    const released = seen(stored({ holder: '' }), 0)
    expect(planMove(see(released, undefined, 10), self(10)).kind).toBe('wait')
  })

  test('a dead leader lives for ever, because somebody labels its Lease', () => {
    const first = see(undefined, stored({}, '1'), 1000)
    const labelled = see(first, stored({}, '2'), 9000)
    expect(planMove(labelled, self(16_000))).toMatchObject({ kind: 'update', version: '2' })
    const renewed = see(labelled, stored({ renewedAtMs: 2 }, '3'), 9000)
    expect(planMove(renewed, self(16_000))).toMatchObject({ kind: 'wait', untilMs: 24_000 })
  })

  test('a Lease without a duration is never, or at once, free', () => {
    const lease = stored({ durationSeconds: 0 })
    expect(planMove(seen(lease, 0), self(14_999)).kind).toBe('wait')
    expect(planMove(seen(lease, 0), self(15_000)).kind).toBe('update')
  })
})
