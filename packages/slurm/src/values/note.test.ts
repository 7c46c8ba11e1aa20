import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readNote } from './note.ts'

describe('the comment of a node', () => {
  test('that nobody wrote is free', () => expect(readNote('  ')).toEqual({ kind: 'empty' }))
  test('of a program is data', () => {
    expect(readNote('{"namespace":"a"}')).toEqual({ kind: 'data', values: { namespace: 'a' } })
  })
  for (const text of ['reserved for Ada', '{broken', '[1]', '"text"', '12', 'null', '{"a":1} and more']) {
    test(`of a person is left alone: ${text}`, () => expect(readNote(text)).toEqual({ kind: 'text' }))
  }

  test('can be any text without ending the process, and any object is read back', () => {
    fc.assert(fc.property(fc.string(), (text) => void readNote(text)))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (values) => {
        const written = JSON.stringify(values)
        expect(readNote(written)).toEqual({ kind: 'data', values: JSON.parse(written) as unknown })
      }),
    )
  })
})
