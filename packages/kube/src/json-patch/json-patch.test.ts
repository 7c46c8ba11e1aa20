import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../json/json-value.ts'
import { applyJsonPatch } from './apply-json-patch.ts'
import { diffJson } from './diff-json.ts'
import { JsonPatchError, printPointer, readPointer, type JsonPatch } from './json-patch.ts'

const works: readonly { name: string; from: JsonValue; patch: JsonPatch; to: JsonValue }[] = [
  { name: 'add a key', from: { a: 1 }, patch: [{ op: 'add', path: '/b', value: 2 }], to: { a: 1, b: 2 } },
  { name: 'add over a key', from: { a: 1 }, patch: [{ op: 'add', path: '/a', value: 2 }], to: { a: 2 } },
  { name: 'insert an element', from: [1, 3], patch: [{ op: 'add', path: '/1', value: 2 }], to: [1, 2, 3] },
  { name: 'append an element', from: [1], patch: [{ op: 'add', path: '/-', value: 2 }], to: [1, 2] },
  { name: 'append at the length', from: [1], patch: [{ op: 'add', path: '/1', value: 2 }], to: [1, 2] },
  {
    name: 'remove',
    from: { a: [1, 2], b: 0 },
    patch: [
      { op: 'remove', path: '/a/0' },
      { op: 'remove', path: '/b' },
    ],
    to: { a: [2] },
  },
  { name: 'replace null', from: { a: null }, patch: [{ op: 'replace', path: '/a', value: 1 }], to: { a: 1 } },
  { name: 'replace the document', from: { a: 1 }, patch: [{ op: 'replace', path: '', value: [] }], to: [] },
  {
    name: 'move',
    from: { a: { b: 1 }, c: {} },
    patch: [{ op: 'move', from: '/a/b', path: '/c/d' }],
    to: { a: {}, c: { d: 1 } },
  },
  { name: 'move inside a list', from: [1, 2, 3], patch: [{ op: 'move', from: '/0', path: '/2' }], to: [2, 3, 1] },
  { name: 'copy', from: { a: [1] }, patch: [{ op: 'copy', from: '/a', path: '/b' }], to: { a: [1], b: [1] } },
  {
    name: 'test, key order aside',
    from: { a: { x: 1, y: 2 } },
    patch: [{ op: 'test', path: '/a', value: { y: 2, x: 1 } }],
    to: { a: { x: 1, y: 2 } },
  },
  {
    name: 'escaped keys',
    from: { 'a/b': 1, 'm~n': 2, '': 3 },
    patch: [
      { op: 'remove', path: '/a~1b' },
      { op: 'remove', path: '/m~0n' },
    ],
    to: { '': 3 },
  },
]

describe('a patch does what RFC 6902 says', () => {
  test.each(works)('$name', ({ from, patch, to }) => expect(applyJsonPatch(from, patch)).toEqual(to))
  test('the document itself is not changed', () => {
    const document = { a: [1, { b: 2 }] }
    applyJsonPatch(document, [{ op: 'remove', path: '/a/1/b' }])
    expect(document).toEqual({ a: [1, { b: 2 }] })
  })
  test('a prototype cannot be poisoned', () => {
    const after = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { bad: true } }]) as Record<
      string,
      unknown
    >
    expect(after['bad']).toBeUndefined()
    expect(Object.hasOwn(after, '__proto__')).toBe(true)
    expect(() => applyJsonPatch({}, [{ op: 'add', path: '/__proto__/bad', value: true }])).toThrow(JsonPatchError)
    expect(() => applyJsonPatch({}, [{ op: 'replace', path: '/constructor', value: true }])).toThrow(JsonPatchError)
  })
})

const fails: readonly { name: string; from: JsonValue; patch: JsonPatch }[] = [
  { name: 'remove what is not there', from: {}, patch: [{ op: 'remove', path: '/a' }] },
  { name: 'replace what is not there', from: {}, patch: [{ op: 'replace', path: '/a', value: 1 }] },
  { name: 'add below what is not there', from: {}, patch: [{ op: 'add', path: '/a/b', value: 1 }] },
  { name: 'add below a scalar', from: { a: 1 }, patch: [{ op: 'add', path: '/a/b', value: 1 }] },
  { name: 'beyond the end', from: [1], patch: [{ op: 'add', path: '/2', value: 1 }] },
  { name: 'remove behind the end', from: [1], patch: [{ op: 'remove', path: '/-' }] },
  { name: 'remove at the length', from: [1], patch: [{ op: 'remove', path: '/1' }] },
  { name: 'a leading zero', from: [1, 2], patch: [{ op: 'remove', path: '/01' }] },
  { name: 'a negative place', from: [1], patch: [{ op: 'remove', path: '/-1' }] },
  { name: 'a path without slash', from: { a: 1 }, patch: [{ op: 'remove', path: 'a' }] },
  { name: 'a bad escape', from: { '~2': 1 }, patch: [{ op: 'remove', path: '/~2' }] },
  { name: 'remove the document', from: {}, patch: [{ op: 'remove', path: '' }] },
  { name: 'move into itself', from: { a: { b: 1 } }, patch: [{ op: 'move', from: '/a', path: '/a/c' }] },
  { name: 'a failed test', from: { a: 1 }, patch: [{ op: 'test', path: '/a', value: 2 }] },
  { name: 'a test of nothing', from: {}, patch: [{ op: 'test', path: '/a', value: 2 }] },
]

describe('a patch that does not fit is refused', () => {
  test.each(fails)('$name', ({ from, patch }) => expect(() => applyJsonPatch(from, patch)).toThrow(JsonPatchError))
})

describe('differences are short', () => {
  test('equal documents have none', () => expect(diffJson({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toEqual([]))
  test('one changed field is one step', () => {
    expect(diffJson({ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } })).toEqual([{ op: 'replace', path: '/a/c', value: 3 }])
  })
  test('an element at the front does not shift the rest', () => {
    expect(diffJson([2, 3, 4], [1, 2, 3, 4])).toEqual([{ op: 'add', path: '/0', value: 1 }])
    expect(diffJson([1, 2, 3, 4], [2, 3, 4])).toEqual([{ op: 'remove', path: '/0' }])
  })
  test('changes at several places of a list are several steps', () => {
    expect(diffJson(['a', 'b', 'c', 'd', 'e'], ['b', 'c', 'x', 'e', 'f'])).toEqual([
      { op: 'remove', path: '/0' },
      { op: 'replace', path: '/2', value: 'x' },
      { op: 'add', path: '/4', value: 'f' },
    ])
  })
  test('a changed element is changed inside', () => {
    expect(diffJson([{ name: 'a', image: 'x' }], [{ name: 'a', image: 'y' }])).toEqual([
      { op: 'replace', path: '/0/image', value: 'y' },
    ])
  })
  test('long lists are still compared correctly', () => {
    const from = Array.from({ length: 800 }, (_, index) => index)
    const to = Array.from({ length: 790 }, (_, index) => 10_000 - index)
    expect(applyJsonPatch(from, diffJson(from, to))).toEqual(to)
  })
})

test('pointers', () => {
  expect(readPointer(printPointer(['a/b', 'm~n', '', 0, '~1']))).toEqual(['a/b', 'm~n', '', '0', '~1'])
  expect(readPointer('')).toEqual([])
})
