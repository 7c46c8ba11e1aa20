import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ListSplitter } from './split-list.ts'

/** @param cuts where the network cut the text, as shares of its length */
function split(text: string, cuts: readonly number[] = []) {
  const items: unknown[] = []
  const splitter = new ListSplitter((item) => items.push(JSON.parse(item)))
  const bytes = Buffer.from(text)
  const places = [
    0,
    ...cuts.map((cut) => Math.round(cut * bytes.length)).sort((one, other) => one - other),
    bytes.length,
  ]
  for (const [index, place] of places.slice(0, -1).entries()) splitter.push(bytes.subarray(place, places[index + 1]))
  return { items, rest: JSON.parse(splitter.end()) as unknown }
}

test('any list in any pieces is the list that JSON.parse reads', () => {
  const item = fc.dictionary(fc.string(), fc.jsonValue())
  const list = fc.record({
    kind: fc.string(),
    metadata: fc.dictionary(fc.string(), fc.jsonValue()),
    items: fc.array(item),
    after: fc.jsonValue(),
  })
  fc.assert(
    fc.property(
      list,
      fc.boolean(),
      fc.array(fc.integer({ min: 0, max: 1000 }).map((place) => place / 1000)),
      (wanted, isPretty, cuts) => {
        const text = JSON.stringify(wanted, undefined, isPretty ? 2 : 0)
        const { items, rest } = split(text, cuts)
        const parsed = JSON.parse(text) as typeof wanted
        expect(items).toEqual(parsed.items)
        expect(rest).toEqual({ ...parsed, items: [] })
      },
    ),
    { numRuns: 300 },
  )
})

test('items that are somewhere else are not taken for the items', () => {
  const text = '{"metadata":{"items":[{"a":1}]},"x":"\\"items\\":[","items":[{"b":"]}"}],"y":{"items":[1]}}'
  expect(split(text)).toEqual({
    items: [{ b: ']}' }],
    rest: { metadata: { items: [{ a: 1 }] }, x: '"items":[', items: [], y: { items: [1] } },
  })
})

test('a list without items has none', () => {
  expect(split('{"items":null,"metadata":{}}').items).toEqual([])
  expect(split('{"items":[],"metadata":{}}').items).toEqual([])
})

test('a list that was cut off is never taken for a short one', () => {
  const whole = '{"kind":"L","items":[{"a":1},{"b":[2]}],"metadata":{"resourceVersion":"5"}}'
  for (let length = 1; length < whole.length; length++) expect(() => split(whole.slice(0, length))).toThrow(SyntaxError)
})
