import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sleep, systemClock } from './clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a wait of three months does not end at once', async () => {
  const done = vi.fn<() => void>()
  systemClock.schedule(90 * 24 * 3600_000, done)
  await vi.advanceTimersByTimeAsync(89 * 24 * 3600_000)
  expect(done).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(24 * 3600_000)
  expect(done).toHaveBeenCalledOnce()
})

test('taking a long wait back works in its second leg as well', async () => {
  const done = vi.fn<() => void>()
  const cancel = systemClock.schedule(60 * 24 * 3600_000, done)
  await vi.advanceTimersByTimeAsync(30 * 24 * 3600_000)
  cancel()
  await vi.advanceTimersByTimeAsync(60 * 24 * 3600_000)
  expect(done).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

test('an aborted sleep leaves no timer behind', async () => {
  const controller = new AbortController()
  const sleeping = sleep(systemClock, 1_000, controller.signal)
  controller.abort(new Error('enough'))
  await expect(sleeping).rejects.toThrow('enough')
  expect(vi.getTimerCount()).toBe(0)
})
