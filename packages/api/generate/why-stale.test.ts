import { expect, test } from 'vitest'
import { whyFileStale, whyStale } from './why-stale.ts'

test('the CRDs and tables are those of the schemas: else run `npm run generate`', () => {
  expect(whyStale()).toBeUndefined()
})

test('a file that is missing or was changed by hand is noticed', () => {
  const file = { path: 'x', text: 'a' }
  expect([whyFileStale(file, 'a'), whyFileStale(file, 'b'), whyFileStale(file, undefined)]).toEqual([
    undefined,
    'is not what the schemas say',
    'is missing',
  ])
})
