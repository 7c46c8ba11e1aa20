import { expect, test } from 'vitest'
import { buildKnownValues } from './build-known-values.ts'
import { readValues } from './read-values.ts'

const knownOf = (text: string, subcharts: readonly string[] = []) => buildKnownValues(readValues(text), subcharts)

test('what Helm adds by itself is called unknown', () => {
  expect(knownOf('a: 1', ['kinds'])).toEqual({ global: true, kinds: true, a: true })
})

test('below an empty map something is unknown', () => {
  expect(knownOf('a: {}\nb: { c: 1 }')).toMatchObject({ a: true, b: { c: true } })
})

test('an open map refuses other names, or forgets its own', () => {
  expect(knownOf('# @open\na:\n  b: 1\n')).toMatchObject({ a: { b: true, '*': true } })
})

test('entries are not known by their model', () => {
  const text = 'defaults: { a: { b: 1 } }\n# @entries defaults\nsets: {}'
  expect(knownOf(text)).toMatchObject({ sets: { '*': { a: { b: true } } } })
})

test('a model that does not exist is not noticed', () => {
  expect(() => knownOf('# @entries none\nsets: {}')).toThrow('the comment of sets: there is no value none')
})
