import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test('people read of 1 workers that are ready', () => {
  expect([0, 1, 2].map((count) => counted(count, 'worker'))).toEqual(['0 workers', '1 worker', '2 workers'])
  const ready = [1, 3].map((count) => counted(count, 'worker is ready', 'workers are ready'))
  expect(ready).toEqual(['1 worker is ready', '3 workers are ready'])
})
