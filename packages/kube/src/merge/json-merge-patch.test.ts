import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { equalJson } from '../json/equal-json.ts'
import { anyJson } from '../json/gen.ts'
import type { JsonValue } from '../json/json-value.ts'
import { applyMergePatch, createMergePatch } from './json-merge-patch.ts'

// The examples of RFC 7386, appendix A.
const examples: readonly (readonly [JsonValue, JsonValue, JsonValue])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

describe('JSON merge patch', () => {
  test.each(examples)('%j with %j is %j', (target, patch, result) =>
    expect(applyMergePatch(target, patch)).toEqual(result),
  )

  test('a prototype cannot be poisoned', () => {
    const patch = JSON.parse('{"__proto__":{"bad":true}}') as JsonValue
    const after = applyMergePatch({}, patch) as Record<string, unknown>
    expect(after['bad']).toBeUndefined()
    expect(Object.hasOwn(after, '__proto__')).toBe(true)
  })

  test('the patch between any two documents without nulls turns one into the other', () => {
    const any = anyJson({ nulls: false })
    fc.assert(
      fc.property(any, any, (from, to) => {
        expect(equalJson(applyMergePatch(from, createMergePatch(from, to)), to)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('nothing to change is an empty patch', () => {
    const anyMap = anyJson({ nulls: false }).map((value) => ({ value }))
    fc.assert(
      fc.property(anyMap, (document) => {
        expect(createMergePatch(document, structuredClone(document))).toEqual({})
      }),
    )
  })

  test('applying a patch twice is applying it once', () => {
    const any = anyJson({ nulls: true })
    fc.assert(
      fc.property(any, any, (target, patch) => {
        const once = applyMergePatch(target, patch)
        expect(equalJson(applyMergePatch(once, patch), once)).toBe(true)
      }),
    )
  })
})
