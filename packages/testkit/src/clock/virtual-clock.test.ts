import { sleep } from '@slurm-operator/kube'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createVirtualClock } from './virtual-clock.ts'

const DAY_MS = 24 * 3600 * 1000

describe('a clock that obeys prevents that', () => {
  test('time passes by itself', async () => {
    const clock = createVirtualClock({ startMs: 1000 })
    let rang = false
    clock.schedule(1, () => (rang = true))
    await clock.settle()
    expect([clock.now(), clock.monotonic(), rang]).toEqual([1000, 0, false])
  })

  test('a timer rings too early, too late or twice', async () => {
    const clock = createVirtualClock({ startMs: 0 })
    const rings: number[] = []
    clock.schedule(100, () => rings.push(clock.now()))
    await clock.advance(99)
    expect(rings).toEqual([])
    await clock.advance(1)
    await clock.advance(1000)
    expect(rings).toEqual([100])
  })

  test('a cancelled timer rings', async () => {
    const clock = createVirtualClock()
    let rang = false
    const cancel = clock.schedule(10, () => (rang = true))
    cancel()
    await clock.advance(20)
    expect(rang).toBe(false)
  })

  test('promises between two moments do not get their turn', async () => {
    const clock = createVirtualClock({ startMs: 0 })
    const log: string[] = []
    const work = async () => {
      await sleep(clock, 10)
      for (let count = 0; count < 5; count++) await Promise.resolve()
      log.push(`worked at ${clock.now()}`)
    }
    clock.schedule(11, () => log.push(`rang at ${clock.now()}`))
    const working = work()
    await clock.advance(20)
    await working
    expect(log).toEqual(['worked at 10', 'rang at 11'])
  })

  test('months take months', async () => {
    const clock = createVirtualClock({ startMs: 0 })
    let rings = 0
    const ring = () => {
      rings++
      clock.schedule(DAY_MS, ring)
    }
    clock.schedule(DAY_MS, ring)
    await clock.advance(180 * DAY_MS)
    expect([rings, clock.now()]).toEqual([180, 180 * DAY_MS])
  })

  test('somebody sets the clock and timers go wrong', async () => {
    const clock = createVirtualClock({ startMs: 0 })
    let rang = false
    clock.schedule(1000, () => (rang = true))
    clock.jumpWallClock(3_600_000)
    await clock.advance(999)
    expect([rang, clock.now(), clock.monotonic()]).toEqual([false, 3_600_999, 999])
    clock.jumpWallClock(-7_200_000)
    await clock.advance(1)
    expect(rang).toBe(true)
  })

  test('a loop that never waits hangs the test', async () => {
    const clock = createVirtualClock()
    const spin = () => void clock.schedule(0, spin)
    spin()
    await expect(clock.advance(1)).rejects.toThrow('again and again at the same moment')
  })

  test('somebody waits for what never comes', async () => {
    const clock = createVirtualClock()
    await expect(clock.advanceUntil('a miracle', () => false, 1000)).rejects.toThrow('Waited in vain for a miracle')
    await expect(clock.drive(new Promise(() => {}))).rejects.toThrow('Waited in vain')
  })

  test('an error in a driven promise is lost', async () => {
    const clock = createVirtualClock()
    const fail = async () => {
      await sleep(clock, 5)
      throw new Error('told')
    }
    await expect(clock.drive(fail())).rejects.toThrow('told')
  })
})

test('everything happens in the order of times, and equal times in the order of asking', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ delayMs: fc.nat(20), isCancelled: fc.boolean() })), async (wishes) => {
      const clock = createVirtualClock()
      const happened: number[] = []
      wishes.forEach(({ delayMs, isCancelled }, index) => {
        const cancel = clock.schedule(delayMs, () => happened.push(index))
        if (isCancelled) cancel()
      })
      while (await clock.advanceToNext());
      const kept = wishes.flatMap(({ isCancelled }, index) => (isCancelled ? [] : [index]))
      const delayOf = (index: number) => wishes[index]?.delayMs ?? 0
      expect(happened).toEqual(kept.sort((a, b) => delayOf(a) - delayOf(b) || a - b))
    }),
    { numRuns: 50 },
  )
})
