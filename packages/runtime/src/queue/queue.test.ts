import { describe, expect, test } from 'vitest'
import { createVirtualClock } from '@slurm-operator/testkit'
import type { Next, Taken } from './queue-state.ts'
import { Queue } from './queue.ts'
import type { Priority } from './wish.ts'

const DAY_MS = 24 * 3600 * 1000

function start() {
  const clock = createVirtualClock()
  const seen: { added: Priority[]; taken: Taken[]; finished: [number, Next][] } = { added: [], taken: [], finished: [] }
  const queue = new Queue({
    clock,
    observer: {
      added: (priority) => seen.added.push(priority),
      taken: (taken) => seen.taken.push(taken),
      finished: (ranMs, next) => seen.finished.push([ranMs, next]),
    },
  })
  return { clock, queue, seen }
}

describe('the queue prevents that', () => {
  test('a wish for in three months comes at once, or never, because timers end at 24 days', async () => {
    const { clock, queue } = start()
    queue.add('a', { inMs: 90 * DAY_MS })
    const taken = queue.take()
    await clock.drive(taken)
    expect(clock.monotonic()).toBe(90 * DAY_MS)
  })

  test('an earlier wish waits for the timer of a later one', async () => {
    const { clock, queue } = start()
    const taken = queue.take()
    queue.add('a', { inMs: DAY_MS })
    queue.add('a', { inMs: 1000 })
    queue.add('a', { inMs: 2000 })
    expect((await clock.drive(taken))?.key).toBe('a')
    expect(clock.monotonic()).toBe(1000)
  })

  test('a delayed key becomes due while all workers are busy and nobody looks', async () => {
    const { clock, queue } = start()
    queue.add('busy')
    await queue.take()
    queue.add('later', { inMs: 10 })
    await clock.advance(1000)
    queue.finish('busy', { kind: 'forget' })
    expect(await queue.take()).toEqual({ key: 'later', priority: 'normal', waitedMs: 990, failures: 0 })
  })

  test('timers are left behind', async () => {
    const { clock, queue } = start()
    const taken = queue.take()
    queue.add('a', { inMs: 1000 })
    queue.add('a')
    await taken
    expect(clock.nextInMs()).toBeUndefined()
  })

  test('workers wait for ever in a queue that is shut down', async () => {
    const { clock, queue } = start()
    const waiting = [queue.take(), queue.take()]
    queue.add('later', { inMs: 1000 })
    await queue.shutDown()
    expect(await Promise.all(waiting)).toEqual([undefined, undefined])
    expect(await queue.take()).toBeUndefined()
    queue.add('new')
    expect(queue.gauges()).toMatchObject({ waiting: { normal: 0, low: 0 }, delayed: 0 })
    expect(clock.nextInMs()).toBeUndefined()
  })

  test('the program ends while a pass is still under way', async () => {
    const { clock, queue } = start()
    queue.add('a')
    queue.add('b')
    await queue.take()
    let isDrained = false
    const drained = queue.shutDown().then(() => (isDrained = true))
    expect(await queue.take(), 'nothing new begins').toBeUndefined()
    await clock.settle()
    expect(isDrained).toBe(false)
    queue.finish('a', { kind: 'retry' })
    await drained
    expect(queue.gauges()).toMatchObject({ waiting: { normal: 0, low: 0 }, delayed: 0, running: 0 })
  })

  test('a wish that is no number breaks the order of all others', async () => {
    const { queue } = start()
    queue.add('a', { inMs: Number.NaN })
    queue.add('b')
    expect([(await queue.take())?.key, (await queue.take())?.key]).toEqual(['a', 'b'])
  })

  test('metrics count a key twice that was added twice', async () => {
    const { clock, queue, seen } = start()
    queue.add('a', { priority: 'low' })
    queue.add('a')
    await clock.advance(7)
    await queue.take()
    await clock.advance(5)
    queue.finish('a', { kind: 'retry' })
    expect(seen).toEqual({
      added: ['low'],
      taken: [{ key: 'a', priority: 'normal', waitedMs: 7, failures: 0 }],
      finished: [[5, { kind: 'retry' }]],
    })
  })
})
