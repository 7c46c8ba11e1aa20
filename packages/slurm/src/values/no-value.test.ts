import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { finiteOf, isBoundedShape, readBounded, writeBounded, type Bounded, type IntegerBits } from './no-value.ts'

const table: readonly [name: string, raw: unknown, bits: IntegerBits, wanted: Bounded][] = [
  ['a number', { set: true, infinite: false, number: 60 }, 32, 60],
  ['zero is a number', { set: true, infinite: false, number: 0 }, 32, 0],
  ['not set, whatever the number says', { set: false, infinite: false, number: 7 }, 32, undefined],
  ['infinite as a running job has it: not set and infinite', { set: false, infinite: true, number: 0 }, 32, 'infinite'],
  ['infinite and set', { set: true, infinite: true, number: 5 }, 32, 'infinite'],
  ['a plain number', 12, 32, 12],
  ['not set in 32 bits', 4294967294, 32, undefined],
  ['infinite in 32 bits', 4294967295, 32, 'infinite'],
  ['not set in 32 bits inside a 64-bit field', { set: true, infinite: false, number: 4294967294 }, 64, undefined],
  ['not set in 16 bits', 65534, 16, undefined],
  ['infinite in 16 bits', 65535, 16, 'infinite'],
  ['a plain 65535 where fields are wider', 65535, 32, 65535],
  ['not set in 64 bits, exact', 2n ** 64n - 2n, 64, undefined],
  ['infinite in 64 bits, exact', 2n ** 64n - 1n, 64, 'infinite'],
  ['not consumed in 64 bits, exact', 2n ** 64n - 3n, 64, undefined],
  ['a 64-bit sentinel rounded by JSON.parse', JSON.parse('18446744073709551614'), 64, undefined],
  ['the other 64-bit sentinel, rounded to the same', JSON.parse('18446744073709551615'), 64, undefined],
  ['a large exact number', 2n ** 53n + 1n, 64, Number(2n ** 53n + 1n)],
  ['text', '60', 32, undefined],
  ['null', null, 32, undefined],
  ['an object of something else', { a: 1 }, 32, undefined],
  ['a number that is text inside', { set: true, infinite: false, number: '60' }, 32, undefined],
]

describe('optional numbers of Slurm', () => {
  for (const [name, raw, bits, wanted] of table) test(name, () => expect(readBounded(raw, bits)).toBe(wanted))

  test('a request is read back as it was meant', () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(), fc.constant('infinite' as const)), (value) => {
        expect(readBounded(writeBounded(value))).toBe(value)
      }),
    )
  })

  test('any JSON gives a finite number, infinite or undefined', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom<IntegerBits>(16, 32, 64), (raw, bits) => {
        const value = readBounded(raw, bits)
        expect(value === undefined || value === 'infinite' || Number.isFinite(value)).toBe(true)
        expect(isBoundedShape(raw) ? undefined : value).toBeUndefined()
      }),
    )
  })
})

test('no bound is no number to calculate with', () => {
  expect(finiteOf('infinite')).toBeUndefined()
  expect(finiteOf(3)).toBe(3)
})
