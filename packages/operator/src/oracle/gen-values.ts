/**
 * Values for a field, from its schema: such as a careful person writes (sound), such as the schema allows and nobody can
 * carry out (odd), and such as the schema forbids (wrong).
 *
 * @module
 */
import fc from 'fast-check'
import type { Schema } from '@slurm-operator/api'
import type { JsonValue } from '@slurm-operator/kube'
import { freeFormValues } from './gen-free-form.ts'
import { findMeaning } from './gen-meanings.ts'

const LONGEST = 60
const MOST = 2 ** 31 - 1
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)

/** A value that works. */
export function anySound(path: string, schema: Schema): fc.Arbitrary<JsonValue> {
  const { sound } = findMeaning(path) ?? {}
  if (sound !== undefined) return fc.constantFrom(...sound)
  if (schema.freeForm !== undefined) return fc.constantFrom(...freeFormValues[schema.freeForm].sound)
  return fromSchema(schema, word)
}

/** A value that the schema allows, whatever becomes of it. */
export function anyOdd(path: string, schema: Schema): fc.Arbitrary<JsonValue> {
  const { odd } = findMeaning(path) ?? {}
  if (odd !== undefined) return fc.constantFrom(...odd)
  if (schema.freeForm !== undefined) return fc.constantFrom(...freeFormValues[schema.freeForm].odd)
  return fromSchema(schema, fc.string({ unit: 'grapheme', maxLength: Math.min(LONGEST, schema.maxLength ?? LONGEST) }))
}

function fromSchema(schema: Schema, text: fc.Arbitrary<string>): fc.Arbitrary<JsonValue> {
  const { type, enum: words, pattern, minimum = -MOST, maximum = MOST, minLength = 0, maxLength = LONGEST } = schema
  if (words !== undefined) return fc.constantFrom(...words)
  if (schema['x-kubernetes-int-or-string'] === true) return fc.constantFrom(1, 2, '50%')
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum })
  const matching = pattern === undefined ? text : fc.stringMatching(new RegExp(pattern, 'u'))
  return matching.filter(({ length }) => length >= minLength && length <= maxLength)
}

/** A value that the schema forbids. */
export function anyWrong({ freeForm, type, ...schema }: Schema): fc.Arbitrary<JsonValue> {
  if (freeForm !== undefined) return fc.constantFrom(...freeFormValues[freeForm].wrong)
  const { enum: words, pattern, minimum, maximum, minLength, maxLength } = schema
  return fc.constantFrom<JsonValue>(
    ...(type === 'string' ? [5, true] : type === 'integer' ? ['x', 1.5] : type === 'boolean' ? ['yes', 0] : [true]),
    ...[{ a: 1 }, ['a']],
    ...(words === undefined ? [] : ['nonsense']),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(minLength === undefined ? [] : ['']),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(pattern === undefined ? [] : outside(new RegExp(pattern, 'u'))),
  )
}

function outside(pattern: RegExp): readonly string[] {
  return ['', ' ', 'a b', 'a\nb', 'a\rb', '\u0000', '!'].filter((text) => !pattern.test(text))
}
