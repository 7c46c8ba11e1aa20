import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DurationError, durationInMs, parseDuration, printDuration } from './duration.ts'

// Read and printed by Go for the same texts.
const forms: readonly (readonly [string, bigint, string])[] = [
  ['0', 0n, '0s'],
  ['-0', 0n, '0s'],
  ['1h30m', 5_400_000_000_000n, '1h30m0s'],
  ['1.5h', 5_400_000_000_000n, '1h30m0s'],
  ['100ms', 100_000_000n, '100ms'],
  ['1500ms', 1_500_000_000n, '1.5s'],
  ['1us', 1_000n, '1µs'],
  ['1\u00B5s', 1_000n, '1µs'],
  ['1\u03BCs', 1_000n, '1µs'],
  ['1.5us', 1_500n, '1.5µs'],
  ['999ns', 999n, '999ns'],
  ['-2m', -120_000_000_000n, '-2m0s'],
  ['+5s', 5_000_000_000n, '5s'],
  ['.5s', 500_000_000n, '500ms'],
  ['5.s', 5_000_000_000n, '5s'],
  ['1s1s', 2_000_000_000n, '2s'],
  ['0.3333333333333333333h', 1_200_000_000_000n, '20m0s'],
  ['0.9223372036854775807h', 3_320_413_933_267n, '55m20.413933267s'],
  ['0.1ns', 0n, '0s'],
  ['2562047h47m16.854775807s', 2n ** 63n - 1n, '2562047h47m16.854775807s'],
  ['-9223372036854775808ns', -(2n ** 63n), '-2562047h47m16.854775808s'],
]

describe('durations', () => {
  test.each(forms)('%s', (text, nanoseconds, printed) => {
    expect(parseDuration(text)).toBe(nanoseconds)
    expect(printDuration(nanoseconds)).toBe(printed)
  })
  test.each(['', '+', '1', '1d', 'h', '.s', '1e3s', '1 s', '1h 1m', '1S', '--1s', '1.2.3s', 's1'])(
    '%j is refused',
    (text) => {
      expect(() => parseDuration(text)).toThrow(DurationError)
    },
  )
  test.each([
    '9223372036854775808ns',
    '3000000h',
    '-9223372036854775809ns',
    '2562047h47m17s',
    '99999999999999999999999h',
  ])('%s is longer than Go can hold', (text) => expect(() => parseDuration(text)).toThrow('292 years'))
  test('printing more than Go can hold', () => expect(() => printDuration(2n ** 63n)).toThrow(RangeError))
  test('a timer never fires too early', () => {
    expect(durationInMs(1n)).toBe(1)
    expect(durationInMs(1_000_000n)).toBe(1)
    expect(durationInMs(-1_500_000n)).toBe(-1)
  })
  test('what is printed is read back', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        (ns) => parseDuration(printDuration(ns)) === ns,
      ),
    )
  })
})
