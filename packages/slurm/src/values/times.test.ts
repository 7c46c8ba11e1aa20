import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deadlineMs, readTimeMs, writeTime } from './times.ts'

describe('times of Slurm', () => {
  test('seconds become milliseconds', () => {
    expect(readTimeMs({ set: true, infinite: false, number: 1794770198 })).toBe(1794770198000)
    expect(readTimeMs(1794770261)).toBe(1794770261000)
  })

  test('a node that never booted did not boot in 1970', () => {
    expect(readTimeMs({ set: true, infinite: false, number: 0 })).toBeUndefined()
  })

  test('the echo of a reservation without an end does not end in 2106', () => {
    expect(readTimeMs({ set: true, infinite: false, number: 4294967294 })).toBeUndefined()
  })

  test('what no calendar holds is no time', () => {
    expect(readTimeMs({ set: true, infinite: false, number: 1e15 })).toBeUndefined()
    expect(readTimeMs(-5)).toBeUndefined()
    expect(readTimeMs('1794770198')).toBeUndefined()
  })

  test('any time that is read can be shown', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer(), fc.jsonValue()), (raw) => {
        expect(new Date(readTimeMs(raw) ?? 0).getTime()).not.toBeNaN()
      }),
    )
  })

  test('a time is asked for in whole seconds', () => {
    expect(writeTime(1794770198999)).toEqual({ set: true, infinite: false, number: 1794770198 })
  })
})

describe('the deadline of a job', () => {
  test('is its start plus its limit', () => expect(deadlineMs(1000, 2)).toBe(121_000))
  test('is never reached without a limit', () => expect(deadlineMs(1000, 'infinite')).toBe('never'))
  test('is not the start when Slurm told no limit', () => expect(deadlineMs(1000, undefined)).toBe('never'))
  test('does not exist before the start', () => expect(deadlineMs(undefined, 5)).toBeUndefined())
})
