import { expect, test } from 'vitest'
import { oncePerObject } from './once-per-object.ts'

test('every pass reads every object again, or one object gets what was read of another', () => {
  let reads = 0
  const read = oncePerObject(({ name }: { readonly name: string }) => {
    reads += 1
    return name === '' ? undefined : name
  })
  const [one, other, nameless] = [{ name: 'a' }, { name: 'b' }, { name: '' }]
  expect([read(one), read(other), read(one), read(nameless), read(nameless)]).toEqual([
    'a',
    'b',
    'a',
    undefined,
    undefined,
  ])
  expect(reads).toBe(3)
})
