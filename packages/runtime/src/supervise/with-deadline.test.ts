import { describe, expect, test } from 'vitest'
import { createVirtualClock } from '@slurm-operator/testkit'
import { asError, isBug } from './as-error.ts'
import { untilAborted, whenAborted } from './until-aborted.ts'
import { withDeadline } from './with-deadline.ts'

describe('a deadline prevents that', () => {
  test('something that never answers is waited for, or not told that nobody waits', async () => {
    const clock = createVirtualClock()
    let signal: AbortSignal | undefined
    const work = withDeadline('ask the oracle', { clock, withinMs: 5_000 }, (given) => {
      signal = given
      return new Promise(() => {})
    })
    await expect(clock.drive(work)).rejects.toThrow('Cannot ask the oracle: it took longer than 5 s.')
    expect(clock.monotonic()).toBe(5_000)
    expect(signal?.reason).toMatchObject({ name: 'DeadlineError' })
  })

  test('a timer is left behind, or an error in time is replaced', async () => {
    const clock = createVirtualClock()
    const limit = { clock, withinMs: 5_000 }
    expect(await withDeadline('x', limit, async () => 7)).toBe(7)
    await expect(withDeadline('x', limit, () => Promise.reject(new Error('own')))).rejects.toThrow('own')
    const throwing = () => {
      throw new Error('at once')
    }
    await expect(withDeadline('x', limit, throwing)).rejects.toThrow('at once')
    expect(clock.nextInMs()).toBeUndefined()
  })

  test('a failure after the deadline ends the process as unhandled', async () => {
    const clock = createVirtualClock()
    const late = Promise.withResolvers<never>()
    const work = withDeadline('x', { clock, withinMs: 1 }, () => late.promise)
    await expect(clock.drive(work)).rejects.toThrow('longer than')
    late.reject(new Error('late'))
    await clock.settle()
  })
})

test('a signal that was aborted before we listened is waited for', async () => {
  const aborted = AbortSignal.abort()
  await untilAborted(aborted)
  let count = 0
  whenAborted(aborted, () => count++)()
  const later = new AbortController()
  whenAborted(later.signal, () => count++)()
  whenAborted(later.signal, () => count++)
  later.abort()
  await untilAborted(later.signal)
  expect(count).toBe(2)
})

test('a thing that was thrown and is no error loses its text, or a mistake is taken for a misfortune', () => {
  expect(asError('text').message).toBe('text')
  expect(asError({ a: 1 }).cause).toEqual({ a: 1 })
  const error = new Error('x')
  expect(asError(error)).toBe(error)
  expect([isBug(error), isBug(new TypeError('x')), isBug(new RangeError('x'))]).toEqual([false, true, true])
})
