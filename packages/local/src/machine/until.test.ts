import { describe, expect, test } from 'vitest'
import { until, untilTrue } from './until.ts'

describe('waiting', () => {
  test('what was found is thrown away', async () => {
    let looks = 0
    expect(
      await until('the third look', () => (++looks === 3 ? 'found' : undefined), { timeoutMs: 5_000, everyMs: 1 }),
    ).toBe('found')
  })

  test('an error on the way ends the wait', async () => {
    let looks = 0
    const find = () => {
      if (++looks < 3) throw new Error('not yet')
      return looks
    }
    expect(await until('it', find, { timeoutMs: 5_000, everyMs: 1 })).toBe(3)
  })

  test('a time-out does not say what was in the way', async () => {
    const failing = () => Promise.reject(new Error('connection refused'))
    await expect(until('the server', failing, { timeoutMs: 20, everyMs: 5 })).rejects.toThrow(
      /the server after 0 s; the last try said: connection refused/,
    )
  })

  test('a dead process is waited for until the deadline', async () => {
    const giveUpWhen = () => 'it has ended'
    await expect(untilTrue('it', () => false, { timeoutMs: 600_000, giveUpWhen })).rejects.toThrow(
      'Cannot wait for it any longer: it has ended',
    )
  })
})
