import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { equalJson } from '../json/equal-json.ts'
import { anyJson } from '../json/gen.ts'
import type { JsonValue } from '../json/json-value.ts'
import { compareAsGo, printGoJson } from './print-go-json.ts'

// Printed by encoding/json for the same values.
const forms: readonly (readonly [JsonValue, string])[] = [
  [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
  ['<a href="x">&\u2028\u2029', String.raw`"\u003ca href=\"x\"\u003e\u0026\u2028\u2029"`],
  ['\b\f\n\r\t\u0000\u001f\u007f/', String.raw`"\b\f\n\r\t\u0000\u001f` + '\u007f/"'],
  ['\ud800', '"\ufffd"'],
  [{ '\ue000': 1, '😀': 2 }, '{"\ue000":1,"😀":2}'],
  [1e21, '1e+21'],
  [1e20, '100000000000000000000'],
  [1e-6, '0.000001'],
  [1e-7, '1e-7'],
  [-0, '0'],
  [{ a: undefined, b: {} }, '{"b":{}}'],
  [JSON.parse('{"__proto__":{"b":1},"a":2}') as JsonValue, '{"__proto__":{"b":1},"a":2}'],
]

describe('JSON as Go prints it', () => {
  test.each(forms)('%j', (value, text) => expect(printGoJson(value)).toBe(text))
  test('keys are sorted by bytes, not by UTF-16 units', () => {
    expect(['😀', '\ue000'].sort(compareAsGo)).toEqual(['\ue000', '😀'])
  })
  test('fields of a struct stand as declared, the rest behind them', () => {
    const order = { keys: ['name', 'image'], inside: { env: { keys: ['name', 'value'] } } }
    const value = { z: 1, image: 'i', env: [{ value: 'v', name: 'n' }], name: 'c', a: { image: 1, name: 2 } }
    expect(printGoJson(value, order)).toBe(
      '{"name":"c","image":"i","a":{"image":1,"name":2},"env":[{"name":"n","value":"v"}],"z":1}',
    )
  })
  test('numbers beyond 2^53 keep their digits', () => expect(printGoJson(2n ** 64n)).toBe('18446744073709551616'))
  test('what JSON cannot say is refused', () => expect(() => printGoJson(Number.NaN)).toThrow('not a finite number'))
  test('the text is JSON that says the same', () => {
    fc.assert(
      fc.property(anyJson({ nulls: true }), (value) => equalJson(JSON.parse(printGoJson(value)) as JsonValue, value)),
    )
  })
})
