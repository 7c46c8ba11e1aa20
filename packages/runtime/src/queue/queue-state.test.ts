import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyHistory, ModelQueue, type Happening } from './gen.ts'
import { defaultRetryPace, type RetryPace } from './policy.ts'
import { QueueState, type Next } from './queue-state.ts'
import type { Priority } from './wish.ts'

const tightPace: RetryPace = { firstMs: 5, longestMs: 100, perSecond: 10, burst: 2 }
const now = (priority: Priority, atMs = 0) => ({ priority, atMs })

/** Queue and model live through the same history, and look the same after each step. */
function liveThrough(history: readonly Happening[], pace: RetryPace) {
  const queue = new QueueState(pace)
  const model = new ModelQueue(pace)
  let nowMs = 0
  for (const happening of history) {
    switch (happening.do) {
      case 'pass-time':
        nowMs += happening.byMs
        break
      case 'add': {
        const atMs = nowMs + happening.inMs
        queue.add(happening.key, { priority: happening.priority, atMs }, nowMs)
        model.add(happening.key, happening.priority, atMs)
        break
      }
      case 'take':
        expectSame(queue.take(nowMs), model.take(nowMs))
        break
      case 'finish': {
        const run = model.running[happening.which]
        if (run === undefined) break
        expectSame(queue.finish(run.key, happening.next, nowMs), nowMs - run.sinceMs)
        model.finish(run.key, happening.next, nowMs)
        break
      }
      case 'close':
        queue.close()
        model.close()
    }
    expectSame({ ...queue.gauges(nowMs), nextDueMs: queue.nextDueMs() }, model.looks(nowMs))
  }
}

/** Asked a million times, `expect` alone would take most of the time. */
function expectSame(actual: unknown, wanted: unknown) {
  if (!isDeepStrictEqual(actual, wanted)) expect(actual).toEqual(wanted)
}

describe('against the model', () => {
  for (const [name, pace] of [
    ['usual', defaultRetryPace],
    ['tight', tightPace],
  ] as const) {
    test(`the queue and the model hand out the same keys in the same order, ${name} pace`, () => {
      fc.assert(
        fc.property(anyHistory, (history) => liveThrough(history, pace)),
        { numRuns: 3_000 },
      )
    })
  }

  test('every key that was added runs after it was added, whatever else happens', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const owed = new Set<string>()
        const open = history.filter((one) => one.do !== 'close')
        const queue = new QueueState(tightPace)
        const running: string[] = []
        let nowMs = 0
        for (const one of open) {
          if (one.do === 'pass-time') nowMs += one.byMs
          if (one.do === 'finish') giveBack(queue, running.splice(one.which, 1), one.next, nowMs)
          if (one.do === 'add') {
            queue.add(one.key, { priority: one.priority, atMs: nowMs + one.inMs }, nowMs)
            owed.add(one.key)
          }
          const taken = one.do === 'take' ? queue.take(nowMs) : undefined
          if (taken === undefined) continue
          expect(running, 'a key is with two workers').not.toContain(taken.key)
          running.push(taken.key)
          owed.delete(taken.key)
        }
        giveBack(queue, running, { kind: 'forget' }, nowMs)
        for (;;) {
          const taken = queue.take((nowMs = Math.max(nowMs, queue.nextDueMs() ?? nowMs)))
          if (taken === undefined) break
          owed.delete(taken.key)
          queue.finish(taken.key, { kind: 'forget' }, nowMs)
        }
        expect([...owed]).toEqual([])
        expect(queue.gauges(nowMs)).toMatchObject({ waiting: { normal: 0, low: 0 }, delayed: 0, running: 0 })
      }),
      { numRuns: 2_000 },
    )
  })
})

function giveBack(queue: QueueState, keys: readonly string[], next: Next, nowMs: number) {
  for (const key of keys) queue.finish(key, next, nowMs)
}

describe('the queue prevents that', () => {
  test('a change during a pass is lost', () => {
    const queue = new QueueState(defaultRetryPace)
    queue.add('a', now('normal'), 0)
    queue.take(0)
    queue.add('a', now('normal', 1), 1)
    expect(queue.take(1), 'while the first pass runs').toBeUndefined()
    queue.finish('a', { kind: 'forget' }, 2)
    expect(queue.take(2)?.key).toBe('a')
  })

  test('a change waits for a back-off of a quarter of an hour', () => {
    const queue = new QueueState(defaultRetryPace)
    queue.add('a', now('normal'), 0)
    for (let failures = 0, nowMs = 0; failures < 30; failures++) {
      nowMs = queue.nextDueMs() ?? nowMs
      expect(queue.take(nowMs)?.failures).toBe(failures)
      queue.finish('a', { kind: 'retry' }, nowMs)
      expect(queue.nextDueMs()).toBe(nowMs + Math.min(1_000_000, 5 * 2 ** failures))
    }
    const nowMs = (queue.nextDueMs() ?? 0) - 900_000
    queue.add('a', now('normal', nowMs), nowMs)
    expect(queue.take(nowMs)).toMatchObject({ key: 'a', failures: 30 })
    queue.finish('a', { kind: 'forget' }, nowMs)
    queue.add('a', now('normal', nowMs), nowMs)
    expect(queue.take(nowMs)?.failures, 'a success forgets the failures').toBe(0)
  })

  test('a user waits behind ten thousand objects of the first list', () => {
    const queue = new QueueState(defaultRetryPace)
    for (let n = 0; n < 10_000; n++) queue.add(`list/${n}`, now('low'), 0)
    queue.add('list/9999', now('normal', 1), 1)
    expect(queue.take(1)).toMatchObject({ key: 'list/9999', priority: 'normal' })
  })

  test('a flood of changes starves the first list', () => {
    const queue = new QueueState(defaultRetryPace)
    for (let n = 0; n < 10; n++) queue.add(`list/${n}`, now('low'), 0)
    const taken: string[] = []
    for (let turn = 0; turn < 50; turn++) {
      queue.add(`busy/${turn}`, now('normal', turn), turn)
      const { key = '' } = queue.take(turn) ?? {}
      taken.push(key)
      queue.finish(key, { kind: 'forget' }, turn)
    }
    expect(taken.filter((key) => key.startsWith('list/'))).toEqual(Array.from({ length: 10 }, (_, n) => `list/${n}`))
  })

  test('one key that changes all the time keeps the others waiting', () => {
    const queue = new QueueState(defaultRetryPace)
    for (const key of ['busy', 'a', 'b', 'c']) queue.add(key, now('normal'), 0)
    const taken = Array.from({ length: 8 }, (_, turn) => {
      const { key = '' } = queue.take(turn) ?? {}
      queue.add('busy', now('normal', turn), turn)
      queue.finish(key, { kind: 'forget' }, turn)
      return key
    })
    expect(taken.slice(0, 4)).toEqual(['busy', 'a', 'b', 'c'])
  })

  test('a wish for next year keeps memory although it was overtaken', () => {
    const queue = new QueueState(defaultRetryPace)
    const yearMs = 366 * 24 * 3600 * 1000
    for (let nowMs = 0; nowMs < 1000; nowMs++) {
      queue.add('a', now('normal', nowMs), nowMs)
      queue.take(nowMs)
      queue.finish('a', { kind: 'later', inMs: yearMs }, nowMs)
      expect(queue.gauges(nowMs).delayed).toBe(1)
    }
    expect(queue.take(yearMs)).toBeUndefined()
    expect(queue.take(yearMs + 1000)?.key).toBe('a')
  })

  test('a thousand keys that fail at once are all tried again at once', () => {
    const queue = new QueueState(defaultRetryPace)
    for (let n = 0; n < 1000; n++) queue.add(String(n), now('normal'), 0)
    for (let n = 0; n < 1000; n++) queue.finish(queue.take(0)?.key ?? '', { kind: 'retry' }, 0)
    const readyAfter = (nowMs: number) => queue.gauges(nowMs).waiting.normal
    expect(readyAfter(5)).toBe(100)
    expect(readyAfter(1000)).toBe(110)
    expect(readyAfter(91_000)).toBe(1000)
  })

  test('a worker gives back what it does not have', () => {
    const queue = new QueueState(defaultRetryPace)
    expect(() => queue.finish('a', { kind: 'forget' }, 0)).toThrow('Cannot finish a: no worker has it')
  })
})
