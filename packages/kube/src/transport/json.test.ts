import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayRound, parseJson, stringifyJson } from './json.ts'

test('a number above 2^53 comes back with its last digit', () => {
  const text = '{"a":9007199254740993,"b":-18446744073709551615,"c":1,"d":1.5}'
  expect(parseJson(text)).toEqual({ a: 9007199254740993n, b: -18446744073709551615n, c: 1, d: 1.5 })
  expect(stringifyJson(parseJson(text))).toBe(text)
})

test('digits inside of texts and long fractions stay what they are', () => {
  expect(parseJson('{"a":"9007199254740993","b":0.12345678901234567890,"c":9007199254740991}')).toEqual({
    a: '9007199254740993',
    b: Number('0.12345678901234567890'),
    c: 9007199254740991,
  })
})

test('a key called __proto__ is a key like any other', () => {
  const read = parseJson('{"__proto__":{"polluted":true},"n":9007199254740993}') as object
  expect(Object.keys(read)).toEqual(['__proto__', 'n'])
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('whatever JSON says is read as JSON.parse reads it, and integers exactly', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(stringifyJson(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
  fc.assert(
    fc.property(fc.bigInt(), (value) => {
      expect(stringifyJson(parseJson(`[${value}]`))).toBe(`[${value}]`)
    }),
  )
})

test('a long number is rounded because of what is around it', () => {
  const anyAround = fc.record({ space: fc.constantFrom('', ' ', '\n\t ', '\r\n'), sign: fc.constantFrom('', '-') })
  const anyDigits = fc.bigInt({ min: 10n ** 15n, max: 10n ** 30n })
  const frames = ['#', '[#]', '[1,#]', '{"a":#}', '{"a":[[#]]}', '{"a":"1","b":#,"c":2}', '["",#,"\\""]']
  fc.assert(
    fc.property(fc.constantFrom(...frames), anyAround, anyDigits, (frame, { space, sign }, digits) => {
      const number = `${sign}${digits}`
      const text = frame.replace('#', `${space}${number}${space}`)
      expect(mayRound(text)).toBe(true)
      expect(stringifyJson(parseJson(text))).toBe(frame.replace('#', number))
    }),
  )
})

test('the digest of an image makes a whole pod be read the slow way', () => {
  const digest = 'registry/image@sha256:a1234567890123456789b1234567890123456789c'
  expect(mayRound(JSON.stringify({ image: digest, at: '2026-01-01T00:00:00.123456789012345678Z', size: 12 }))).toBe(
    false,
  )
})
