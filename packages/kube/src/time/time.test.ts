import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findTime, parseTime, printMicroTime, printTime, TimeError } from './time.ts'

describe('times', () => {
  const atMs = Date.UTC(2026, 10, 15, 22, 49, 2, 123)
  test('a Lease is refused without all six decimals', () => {
    expect(printMicroTime(atMs)).toBe('2026-11-15T22:49:02.123000Z')
    expect(printMicroTime(atMs + 0.456)).toBe('2026-11-15T22:49:02.123456Z')
    expect(printMicroTime(0)).toBe('1970-01-01T00:00:00.000000Z')
    expect(printMicroTime(-0.001)).toBe('1969-12-31T23:59:59.999999Z')
  })
  test('metav1.Time has whole seconds, cut off', () => {
    expect(printTime(atMs + 800)).toBe('2026-11-15T22:49:02Z')
    expect(printTime(-1)).toBe('1969-12-31T23:59:59Z')
  })
  test('offsets and any number of decimals are read', () => {
    expect(parseTime('2026-11-15T22:49:02Z')).toBe(atMs - 123)
    expect(parseTime('2026-11-16T00:19:02.123+01:30')).toBe(atMs)
    expect(parseTime('2026-11-15T14:49:02.123000999-08:00')).toBe(atMs)
    expect(parseTime('2024-02-29T00:00:00Z')).toBe(Date.UTC(2024, 1, 29))
  })
  const wrong = [
    '',
    '2026-11-15',
    '2026-11-15 22:49:02Z',
    '2026-11-15T22:49:02',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-15T24:00:00Z',
    '2026-11-15T23:60:00Z',
    '2026-11-15T22:49:60Z',
    '2026-11-15T22:49:02.Z',
    '2026-11-15T22:49:02+24:00',
    '2026-11-15t22:49:02z',
  ]
  test.each(wrong)('%j is no time', (text) => {
    expect(() => parseTime(text)).toThrow(TimeError)
    expect(findTime(text)).toBeUndefined()
  })
  test('a missing time is not 1970', () => {
    expect(findTime(undefined)).toBeUndefined()
    expect(findTime(null)).toBeUndefined()
    expect(findTime('1970-01-01T00:00:00Z')).toBe(0)
  })
  test.each([Number.NaN, Infinity, 8e15])('%d has no text', (atMs) => expect(() => printTime(atMs)).toThrow(TimeError))

  test('every microsecond of our time survives printing and reading', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(2100, 0) * 1000 }), (micros) => {
        expect(Math.round(parseTime(printMicroTime(micros / 1000)) * 1000)).toBe(micros)
      }),
    )
  })
  test('later times are later texts', () => {
    const anyMs = fc.integer({ min: Date.UTC(0, 0), max: Date.UTC(9999, 0) })
    fc.assert(fc.property(anyMs, anyMs, (a, b) => a >= b || printMicroTime(a) < printMicroTime(b)))
  })
})
