import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { equalJson } from './equal-json.ts'
import { anyJson } from './gen.ts'
import {
  isJsonList,
  isJsonObject,
  ownEntries,
  ownKeys,
  ownValue,
  withoutKeys,
  type JsonObject,
  type JsonValue,
} from './json-value.ts'

const hostile = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as JsonObject

describe('keys are data', () => {
  test('what an object inherits is not there', () => {
    expect(ownValue({}, 'constructor')).toBeUndefined()
    expect(ownValue({}, '__proto__')).toBeUndefined()
    expect(ownValue(undefined, 'a')).toBeUndefined()
  })
  test('what a document really has under such a name is there', () => {
    expect(ownValue(hostile, '__proto__')).toEqual({ a: 1 })
    expect(ownKeys(withoutKeys(hostile, ['constructor']))).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(withoutKeys(hostile, []))).toBe(Object.prototype)
  })
  test('an undefined key is not there', () => {
    expect(ownKeys({ a: undefined, b: null })).toEqual(['b'])
    expect(ownEntries({ a: undefined, b: null })).toEqual([['b', null]])
  })
  test('kinds', () => {
    expect([{}, [], null, 'a'].map((value) => isJsonObject(value))).toEqual([true, false, false, false])
    expect([{}, [], null, 'a'].map((value) => isJsonList(value))).toEqual([false, true, false, false])
  })
})

describe('equality', () => {
  const unequal: readonly (readonly [JsonValue | undefined, JsonValue | undefined])[] = [
    [null, undefined],
    [{}, []],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: 1, b: null }],
    [{ toString: 1 }, {}],
    [
      { a: undefined, b: 1 },
      { a: 1, b: undefined },
    ],
    ['1', 1],
  ]
  test.each(unequal)('%j is not %j', (a, b) => expect(equalJson(a, b) || equalJson(b, a)).toBe(false))
  test('key order and undefined do not count', () =>
    expect(equalJson({ a: 1, b: 2, c: undefined }, { b: 2, a: 1 })).toBe(true))
  test('a copy is equal, and equality goes both ways', () => {
    const any = anyJson({ nulls: true })
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(equalJson(a, JSON.parse(JSON.stringify(a)) as JsonValue)).toBe(true)
        expect(equalJson(a, b)).toBe(equalJson(b, a))
        expect(equalJson(a, b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)))
      }),
    )
  })
})

function sorted(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map((element) => sorted(element))
  if (!isJsonObject(value)) return value
  const entries = ownEntries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return ['a map', ...entries.map(([key, inner]) => [key, sorted(inner)])]
}
