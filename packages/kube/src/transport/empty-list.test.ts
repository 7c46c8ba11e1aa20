import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyList } from './empty-list.ts'

const PATH = ['object', 'metadata', 'managedFields']

/** Texts full of what could be taken for something else. */
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', 'a', ' ', '\n', 'é', '\u{1f600}') }),
  fc.constantFrom(
    'managedFields',
    'managedFieldsToo',
    'metadata',
    'metadata2',
    'objects',
    '"managedFields":[',
    '"}],"',
  ),
)
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false, -1, 0),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyText, tie('value'), { maxKeys: 4 }),
  ),
}))['value'] as fc.Arbitrary<unknown>

const anyMap = fc.dictionary(anyText, anyJson, { maxKeys: 4 })
const inAnyOrder = (before: object, name: string, value: unknown, after: object) => ({
  ...without(before, name),
  [name]: value,
  ...without(after, name),
})
const without = (map: object, name: string) => Object.fromEntries(Object.entries(map).filter(([key]) => key !== name))
const anyIndent = fc.constantFrom('', ' ', '\n\t')

describe('a list that is not parsed', () => {
  test('anything but the list is changed, or the list is not found', () => {
    const parts = fc.tuple(anyMap, anyMap, anyMap, anyMap, anyMap, anyMap, fc.array(anyJson))
    fc.assert(
      fc.property(parts, anyIndent, ([a, b, c, d, e, f, list], indent) => {
        const event = (fields: unknown) =>
          inAnyOrder(a, 'object', inAnyOrder(b, 'metadata', inAnyOrder(c, 'managedFields', fields, d), e), f)
        const text = JSON.stringify(event(list), undefined, indent)
        expect(JSON.parse(emptyList(text, PATH))).toEqual(JSON.parse(JSON.stringify(event([]))))
      }),
      { numRuns: 3000 },
    )
  })

  test('an object without the list is changed', () => {
    fc.assert(
      fc.property(anyJson, anyIndent, (value, indent) => {
        const text = JSON.stringify({ object: { spec: value, managedFields: [1] }, metadata: value }, undefined, indent)
        expect(emptyList(text, PATH)).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  test('a text that is cut off becomes readable, or the search for its end does not end', () => {
    const whole = '{"object":{"metadata":{"a":"\\"]","managedFields":[{"f:a":{"k:{\\"b\\":[1]}":{}}}],"z":1}}}'
    expect(JSON.parse(emptyList(whole, PATH))).toEqual({ object: { metadata: { a: '"]', managedFields: [], z: 1 } } })
    for (let end = 0; end < whole.length; end++) {
      expect(() => JSON.parse(emptyList(whole.slice(0, end), PATH))).toThrow(SyntaxError)
    }
    const anyRest = fc.oneof(fc.string(), anyText)
    fc.assert(fc.property(anyRest, (rest) => emptyList(`{"managedFields"${rest}`, ['managedFields']).length > 0))
  })

  test('a list of the same name inside of the object is emptied', () => {
    const text = '{"spec":{"metadata":{"managedFields":[1]}},"metadata":{"managedFields":[2]}}'
    expect(emptyList(text, ['metadata', 'managedFields'])).toBe(
      '{"spec":{"metadata":{"managedFields":[1]}},"metadata":{"managedFields":[]}}',
    )
  })

  test('something that is no list is taken for one', () => {
    for (const value of ['null', '"[]"', '{"a":[1]}', '7'])
      expect(emptyList(`{"managedFields":${value}}`, ['managedFields'])).toBe(`{"managedFields":${value}}`)
  })
})
