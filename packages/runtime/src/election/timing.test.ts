import { expect, test } from 'vitest'
import { defaultTiming, whyUnsafe } from './timing.ts'

test('times under which two processes could lead at once are accepted', () => {
  expect(whyUnsafe(defaultTiming)).toBeUndefined()
  expect(whyUnsafe({ leaseMs: 10_000, renewMs: 10_000, retryMs: 2_000 })).toContain('two leaders')
  expect(whyUnsafe({ leaseMs: 15_000, renewMs: 2_000, retryMs: 2_000 })).toContain('more than one try')
  expect(whyUnsafe({ leaseMs: 15_000, renewMs: 10_000, retryMs: 0 })).toContain('above zero')
  expect(whyUnsafe({ leaseMs: Number.NaN, renewMs: 10_000, retryMs: 2_000 })).toBeDefined()
})
