import { describe, expect, test } from 'vitest'
import { laws } from './gen-laws.ts'
import { pairs, triples } from './gen-worlds.ts'
import { inShort } from './gen.ts'
import type { Picture } from './picture.ts'
import { planNodeSet } from './plan.ts'

/** How many there are, and what is wrong with the first plan that breaks a law. */
function explore(worlds: Iterable<Picture>): { readonly count: number; readonly broken: unknown } {
  let count = 0
  for (const picture of worlds) {
    count++
    const plan = planNodeSet(picture)
    for (const [accident, law] of Object.entries(laws)) {
      const wrong = law(picture, plan)
      if (wrong.length > 0) return { count, broken: { accident, wrong, steps: inShort(plan), picture } }
    }
  }
  return { count, broken: undefined }
}

const PATIENT = { timeout: 120_000 }

describe('no small world breaks a law', () => {
  test.each([0, 1, 2])('of two workers, when %i are wanted', PATIENT, (replicas) => {
    expect(explore(pairs(replicas))).toEqual({ count: 124_416, broken: undefined })
  })
  test.each([1, 3])('of three workers that run, when %i are wanted', PATIENT, (replicas) => {
    expect(explore(triples(replicas))).toEqual({ count: 373_248, broken: undefined })
  })
})
