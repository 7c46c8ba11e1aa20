import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../view/gen.ts'
import { steadyClock, systemClock } from './clock.ts'
import { DeadlineError, withDeadline } from './with-deadline.ts'

describe('a deadline prevents that', () => {
  test('work that does not listen holds us', async () => {
    const clock = new VirtualClock()
    const work = withDeadline(clock, 1000, () => new Promise(() => {})).catch((error: unknown) => error)
    await clock.advance(1001)
    expect(await work).toBeInstanceOf(DeadlineError)
  })

  test('work that listens wins with an error of its own', async () => {
    const clock = new VirtualClock()
    const obedient = (signal: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    const work = withDeadline(clock, 1000, obedient).catch((error: unknown) => error)
    await clock.advance(1001)
    expect(await work).toMatchObject({ name: 'DeadlineError', message: 'no answer within 1 s' })
  })

  test('a timer stays behind when the work is done', async () => {
    const timers = new Set<() => void>()
    const clock = {
      ...systemClock,
      schedule: (_delayMs: number, action: () => void) => {
        timers.add(action)
        return () => timers.delete(action)
      },
    }
    expect(await withDeadline(clock, 1000, async () => 'done')).toBe('done')
    await expect(withDeadline(clock, 1000, () => Promise.reject(new Error('bad')))).rejects.toThrow('bad')
    expect(timers.size).toBe(0)
  })
})

test('a steady clock jumps with the machine', () => {
  const machine = { nowMs: 1_000_000, upMs: 5 }
  const clock = steadyClock({ now: () => machine.nowMs, monotonic: () => machine.upMs, schedule: () => () => {} })
  machine.upMs += 1000
  machine.nowMs -= 3_600_000
  expect(clock.now()).toBe(1_001_000)
})
