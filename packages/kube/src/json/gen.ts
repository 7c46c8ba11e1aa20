/** Test data of this room. */
import fc from 'fast-check'
import type { JsonObject, JsonValue } from './json-value.ts'

/** Few keys, so that documents meet each other; some that a careless program takes for prototypes. */
const anyKey = fc.constantFrom('a', 'b', 'c', 'a/b', 'm~n', '', '__proto__', 'constructor', 'toString')

const anyScalar = fc.oneof(fc.constantFrom(0, 1, 2.5, true, false, '', 'x', 'y'), fc.integer())

/** Small documents with keys of `anyKey`; `null` occurs only if asked for. */
export function anyJson(options: { readonly nulls: boolean }): fc.Arbitrary<JsonValue> {
  const leaf: fc.Arbitrary<JsonValue> = options.nulls ? fc.oneof(anyScalar, fc.constant(null)) : anyScalar
  const { value } = fc.letrec<{ value: JsonValue; list: JsonValue[]; object: JsonObject }>((tie) => ({
    value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.array(fc.tuple(anyKey, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  }))
  return value
}
