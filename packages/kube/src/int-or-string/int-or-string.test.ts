import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IntOrStringError, parseIntOrString, resolveIntOrPercent, whyInvalidIntOrPercent } from './int-or-string.ts'

describe('numbers and percentages', () => {
  const rows = [
    { value: 3, total: 10, up: 3, down: 3 },
    { value: '25%', total: 10, up: 3, down: 2 },
    { value: '0%', total: 10, up: 0, down: 0 },
    { value: '100%', total: 7, up: 7, down: 7 },
    { value: '200%', total: 7, up: 14, down: 14 },
    { value: '1%', total: 1, up: 1, down: 0 },
    { value: '50%', total: 0, up: 0, down: 0 },
    { value: '29%', total: 100, up: 29, down: 29 }, // 0.29 * 100 is 28.999999999999996
    { value: -1, total: 5, up: -1, down: -1 },
  ]
  test.each(rows)('$value of $total is $up or $down', ({ value, total, up, down }) => {
    expect(resolveIntOrPercent(value, total, 'up')).toBe(up)
    expect(resolveIntOrPercent(value, total, 'down')).toBe(down)
  })
})

describe('a typing error never becomes a number of pods', () => {
  test.each(['', '%', '10', '1.5%', '-5%', '+5%', ' 5%', '5 %', '5%%', 'half', 1.5, 2 ** 31, Number.NaN])(
    '%j',
    (value) => {
      expect(whyInvalidIntOrPercent(value)).toBeTypeOf('string')
      expect(() => resolveIntOrPercent(value, 10, 'up')).toThrow(IntOrStringError)
    },
  )
  test('a share that JavaScript cannot hold', () => {
    expect(() => resolveIntOrPercent('99999999999999999999%', 1000, 'up')).toThrow('too large')
  })
})

test('a flag is a number if it looks like one', () => {
  expect(parseIntOrString('8080')).toBe(8080)
  expect(parseIntOrString('-1')).toBe(-1)
  expect(parseIntOrString('25%')).toBe('25%')
  expect(parseIntOrString('http')).toBe('http')
  expect(parseIntOrString('99999999999')).toBe('99999999999')
})

test('up and down differ by at most one, and up is never too little', () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(100_000), (percent, total) => {
      const up = resolveIntOrPercent(`${percent}%`, total, 'up')
      const down = resolveIntOrPercent(`${percent}%`, total, 'down')
      expect(up * 100).toBeGreaterThanOrEqual(percent * total)
      expect(down * 100).toBeLessThanOrEqual(percent * total)
      expect(up - down).toBe((percent * total) % 100 === 0 ? 0 : 1)
    }),
  )
})
