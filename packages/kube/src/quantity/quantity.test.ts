import { describe, expect, test } from 'vitest'
import { parseQuantity, whyInvalidQuantity } from './parse-quantity.ts'
import { canonicalQuantity, printQuantity } from './print-quantity.ts'
import { addQuantities, compareQuantities, multiplyQuantity, subtractQuantities } from './quantity-arithmetic.ts'
import { mebibytes, milliCpus, wholeUnits } from './quantity-units.ts'
import { QuantityError, ZERO_QUANTITY } from './quantity.ts'

// Printed by apimachinery 0.36 for the same texts.
const canonicalForms: readonly (readonly [string | number, string])[] = [
  ['1000m', '1'],
  ['0.5', '500m'],
  [0.5, '500m'],
  [3, '3'],
  ['1.5Gi', '1536Mi'],
  ['1e3', '1e3'],
  ['1E3', '1e3'],
  ['1e1', '10'],
  ['1.5e3', '1500'],
  ['1500', '1500'],
  ['1000', '1k'],
  ['1E', '1E'],
  ['0.5Ki', '512'],
  ['1023', '1023'],
  ['0.9765625Ki', '1k'],
  ['62.5Ki', '64000'], // whole, but not in Ki; read again it is decimal
  ['64000', '64k'],
  ['1.1Ki', '1126400m'],
  ['0.1Ki', '102400m'],
  ['-1.5Gi', '-1536Mi'],
  ['-0', '0'],
  ['0Ki', '0'],
  ['+5', '5'],
  ['5.', '5'],
  ['.5Mi', '512Ki'],
  ['1e-10', '1e-9'],
  ['0.0000000001', '1n'],
  ['0.1n', '1n'],
  ['-0.1n', '-1n'],
  ['8Ei', '9223372036854775807'],
  ['-8Ei', '-9223372036854775807'],
  ['9223372036854775808', '9223372036854775808'],
  [' 2 ', '2'],
]

describe('quantities are printed as the API server prints them', () => {
  test.each(canonicalForms)('%j is %s', (text, form) => expect(canonicalQuantity(text)).toBe(form))
})

describe('what is no amount is refused with a reason', () => {
  const wrong = [
    '',
    ' ',
    '.',
    'm',
    '1e',
    '1K',
    '1mi',
    '1.2.3',
    '--1',
    '1 2',
    '1e3Mi',
    '0x10',
    '1,5',
    'e3',
    'NaN',
    '1e5000',
  ]
  test.each(wrong)('%j', (text) => {
    expect(() => parseQuantity(text)).toThrow(QuantityError)
    expect(whyInvalidQuantity(text)).toContain('Cannot read')
  })
  test('numbers that JSON cannot hold', () => {
    expect(() => parseQuantity(Number.NaN)).toThrow(QuantityError)
    expect(() => parseQuantity(Infinity)).toThrow(QuantityError)
  })
  test('a short text cannot make a number of gigabytes', () => {
    expect(() => parseQuantity('1e999999999')).toThrow('more than 1000 digits')
    expect(canonicalQuantity('1e-999999999')).toBe('1e-9')
  })
})

describe('units', () => {
  test('a fraction of a MiB needs a whole one', () => {
    expect(mebibytes(parseQuantity('1'))).toBe(1)
    expect(mebibytes(parseQuantity('1Gi'))).toBe(1024)
    expect(mebibytes(parseQuantity('1G'))).toBe(954)
  })
  test('a fraction of a milli-CPU needs a whole one', () => {
    expect(milliCpus(parseQuantity('1n'))).toBe(1)
    expect(milliCpus(parseQuantity('2.5'))).toBe(2500)
  })
  test('negative amounts are rounded away from zero, too', () => {
    expect(wholeUnits(parseQuantity('-1500m'))).toBe(-2n)
  })
  test('a count that JavaScript cannot hold is refused, not rounded', () => {
    expect(() => milliCpus(parseQuantity('10E'))).toThrow(RangeError)
    expect(() => wholeUnits(parseQuantity('1'), ZERO_QUANTITY)).toThrow(RangeError)
  })
})

describe('arithmetic', () => {
  test('0.1 + 0.2 is 0.3', () => {
    expect(printQuantity(addQuantities(parseQuantity('0.1'), parseQuantity('0.2')))).toBe('300m')
  })
  test('a sum that starts from nothing keeps the suffixes of what is added', () => {
    expect(printQuantity(addQuantities(ZERO_QUANTITY, parseQuantity('1Gi')))).toBe('1Gi')
    expect(printQuantity(subtractQuantities(ZERO_QUANTITY, parseQuantity('1Gi')))).toBe('-1Gi')
  })
  test('the first amount decides the suffixes', () => {
    expect(printQuantity(addQuantities(parseQuantity('1Gi'), parseQuantity('1G')))).toBe('2073741824')
    expect(printQuantity(addQuantities(parseQuantity('1Gi'), parseQuantity('1024')))).toBe('1048577Ki')
  })
  test('more than the largest suffix is still printed with its value', () => {
    expect(printQuantity(multiplyQuantity(parseQuantity('1E'), 1000))).toBe('1000E')
    expect(printQuantity(multiplyQuantity(parseQuantity('1Ei'), 1024n))).toBe('1024Ei')
  })
  test('half a pod is a mistake', () => expect(() => multiplyQuantity(parseQuantity('1'), 0.5)).toThrow(RangeError))
  test('the same amount written twice is equal', () => {
    expect(compareQuantities(parseQuantity('1Gi'), parseQuantity('1073741824'))).toBe(0)
    expect(compareQuantities(parseQuantity('1G'), parseQuantity('1Gi'))).toBe(-1)
    expect(compareQuantities(parseQuantity('2'), parseQuantity('1999m'))).toBe(1)
  })
})
