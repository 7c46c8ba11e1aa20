import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countSlips, findNearest } from './did-you-mean.ts'

describe('the nearest word', () => {
  const words = ['image', 'imagePullPolicy', 'env', 'envFrom', 'resources', 'tty']
  const rows = [
    ['imagePullPolcy', 'imagePullPolicy'],
    ['resource', 'resources'],
    ['IMAGE', 'image'],
    ['iamge', 'image'],
    ['evn', 'env'],
    ['xyz', undefined],
    ['', undefined],
  ] as const
  for (const [written, meant] of rows)
    test(`${written} → ${meant}`, () => expect(findNearest(written, words)).toBe(meant))
})

const text = fc.string({ maxLength: 6, unit: fc.constantFrom('a', 'b', 'c') })

test('the number of slips is a distance', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(countSlips(one, other)).toBe(countSlips(other, one))
      expect(countSlips(one, other) === 0).toBe(one === other)
      expect(countSlips(one, other)).toBeLessThanOrEqual(Math.max(one.length, other.length))
      expect(countSlips(`${one}x`, other)).toBeLessThanOrEqual(countSlips(one, other) + 1)
    }),
  )
})

test('two neighbours that changed places are one slip', () => expect(countSlips('abcd', 'acbd')).toBe(1))
