import { expect, test } from 'vitest'
import { shorten } from './shorten.ts'

test('a status has lines of a stack trace in it, or more than anybody reads', () => {
  expect(shorten(' 0/3 nodes\n  are  available ')).toBe('0/3 nodes are available')
  expect(shorten('x'.repeat(300))).toBe('x'.repeat(300))
  expect(shorten('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`)
  expect(shorten('broken fan', 6)).toBe('broke…')
  expect(shorten()).toBe('')
})
