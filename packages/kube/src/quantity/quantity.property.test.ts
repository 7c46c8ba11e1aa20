import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyQuantityText } from './gen.ts'
import { parseQuantity } from './parse-quantity.ts'
import { canonicalQuantity, printQuantity } from './print-quantity.ts'
import { addQuantities, compareQuantities, multiplyQuantity, subtractQuantities } from './quantity-arithmetic.ts'
import { wholeUnits } from './quantity-units.ts'

const anyQuantity = anyQuantityText.map((text) => parseQuantity(text))

test('the canonical form is the same amount', () => {
  fc.assert(fc.property(anyQuantity, (quantity) => parseQuantity(printQuantity(quantity)).nanos === quantity.nanos))
})

test('the canonical form of a canonical form is itself, unless a binary amount came out without suffix', () => {
  fc.assert(
    fc.property(anyQuantity, (quantity) => {
      const canonical = printQuantity(quantity)
      const isDecimalNow = quantity.format === 'BinarySI' && !canonical.endsWith('i')
      const again = canonicalQuantity(canonical)
      expect(isDecimalNow ? canonicalQuantity(again) : again).toBe(isDecimalNow ? again : canonical)
    }),
  )
})

test('the canonical form has no fraction and no leading zero', () => {
  fc.assert(
    fc.property(anyQuantity, (quantity) => {
      expect(printQuantity(quantity)).toMatch(/^(0|-?[1-9][0-9]*([numkMGTPE]|[KMGTPE]i|e-?[0-9]+)?)$/)
    }),
  )
})

test('amounts have one order: any two compare, both ways alike, and it is transitive', () => {
  fc.assert(
    fc.property(anyQuantity, anyQuantity, anyQuantity, (a, b, c) => {
      expect(compareQuantities(a, b) + compareQuantities(b, a)).toBe(0)
      const [low, middle, high] = [a, b, c].sort(compareQuantities)
      if (!low || !middle || !high) throw new Error('three go in, three come out')
      expect(compareQuantities(low, middle)).toBeLessThanOrEqual(0)
      expect(compareQuantities(low, high)).toBeLessThanOrEqual(0)
    }),
  )
})

test('what is added can be subtracted again', () => {
  fc.assert(
    fc.property(
      anyQuantity,
      anyQuantity,
      (a, b) => compareQuantities(subtractQuantities(addQuantities(a, b), b), a) === 0,
    ),
  )
})

test('so many times is added so many times', () => {
  fc.assert(
    fc.property(anyQuantity, fc.nat(9), (quantity, times) => {
      let sum = multiplyQuantity(quantity, 0)
      for (let count = 0; count < times; count++) sum = addQuantities(sum, quantity)
      expect(compareQuantities(multiplyQuantity(quantity, times), sum)).toBe(0)
    }),
  )
})

test('whole units always hold the amount, and one less would not', () => {
  fc.assert(
    fc.property(anyQuantity, anyQuantity, (quantity, other) => {
      fc.pre(other.nanos !== 0n && quantity.nanos >= 0n)
      const unit = multiplyQuantity(other, other.nanos < 0n ? -1 : 1)
      const units = wholeUnits(quantity, unit)
      expect(compareQuantities(multiplyQuantity(unit, units), quantity)).toBeGreaterThanOrEqual(0)
      expect(units === 0n || compareQuantities(multiplyQuantity(unit, units - 1n), quantity) === -1).toBe(true)
    }),
  )
})
