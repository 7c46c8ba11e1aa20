import { describe, expect, test } from 'vitest'
import { createRandomSource } from './random-source.ts'
import { createXoshiro } from './xoshiro.ts'

const take = (count: number, next: () => number) => Array.from({ length: count }, next)

test('xoshiro128** gives the numbers that its authors give', () => {
  expect(take(4, createXoshiro([1, 2, 3, 4]))).toEqual([11520, 0, 5927040, 70819200])
})

describe('one seed prevents that', () => {
  test('a failing run cannot be repeated', () => {
    const run = () => take(20, createRandomSource(42).next)
    expect(run()).toEqual(run())
    expect(run()).not.toEqual(take(20, createRandomSource(43).next))
  })

  test('one more consumer changes what the others get', () => {
    const alone = createRandomSource(1)
    const crowded = createRandomSource(1)
    take(5, crowded.stream('newcomer').next)
    take(5, crowded.next)
    expect(take(5, crowded.stream('faults').next)).toEqual(take(5, alone.stream('faults').next))
    expect(take(5, crowded.stream('faults').next)).not.toEqual(take(5, crowded.stream('order').next))
  })

  test('numbers leave their range, or miss a part of it', () => {
    const random = createRandomSource(7)
    const drawn = new Set(take(500, () => random.below(10)))
    expect([...drawn].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(take(500, random.next).every((value) => value >= 0 && value < 1)).toBe(true)
  })

  test('a chance is not what it says', () => {
    const random = createRandomSource(8)
    const hits = take(10_000, random.next).filter((value) => value < 0.3).length
    expect(hits).toBeGreaterThan(2_800)
    expect(hits).toBeLessThan(3_200)
    expect([createRandomSource(9).chance(0), createRandomSource(9).chance(1)]).toEqual([false, true])
  })

  test('shuffling loses something', () => {
    const shuffled = createRandomSource(3).shuffle([1, 2, 3, 4, 5, 6])
    expect([...shuffled].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
    expect(shuffled).not.toEqual([1, 2, 3, 4, 5, 6])
  })

  test('picking from nothing gives nothing', () => {
    expect(() => createRandomSource(1).pick([])).toThrow('empty list')
  })
})
