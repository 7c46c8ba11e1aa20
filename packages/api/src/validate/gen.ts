/**
 * Test data: random pods, Services and claims of any type that Kubernetes knows, and slips in them.
 *
 * @module
 */
import fc from 'fast-check'
import {
  mergeSchema,
  valueSchema,
  type JsonObject,
  type JsonValue,
  type SimpleValue,
  type ValueField,
} from '@slurm-operator/kube'
import type { FreeFormType } from '../schema/schema.ts'
import { freeFormFields } from './check-free-form.ts'

const DEPTH = 4
const MOST_FIELDS = 4
const word = fc.stringMatching(/^[a-z]{1,5}$/)

const simpleValues: Readonly<Record<SimpleValue, fc.Arbitrary<JsonValue>>> = {
  string: fc.oneof(word, fc.string()),
  boolean: fc.boolean(),
  int32: fc.integer(),
  int64: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
  number: fc.integer(),
  quantity: fc.oneof(fc.constantFrom('1', '500m', '4Gi', '1e3', '0.5'), fc.nat()),
  'int-or-string': fc.oneof(fc.integer(), word),
  time: fc.constantFrom('2026-01-31T15:00:00Z', '2026-01-31T15:00:00+01:00'),
  any: fc.jsonValue(),
}

/** A free-form field as somebody could mean it. */
export function anyFreeForm(type: FreeFormType): fc.Arbitrary<JsonValue> {
  return fieldOf(freeFormFields[type], DEPTH)
}

function fieldOf(field: ValueField, depth: number): fc.Arbitrary<JsonValue> {
  const one = oneOf(field, depth)
  if (field.holds === 'one') return one
  return field.holds === 'list' ? fc.array(one, { maxLength: 2 }) : fc.dictionary(word, one, { maxKeys: 2 })
}

function oneOf({ simple = 'any', of, words }: ValueField, depth: number): fc.Arbitrary<JsonValue> {
  if (of !== undefined) return objectOf(of, depth)
  return words === undefined ? simpleValues[simple] : fc.constantFrom(...words)
}

/** A few of its fields, and those by which lists are merged. */
function objectOf(type: string, depth: number): fc.Arbitrary<JsonObject> {
  const all = Object.entries(valueSchema[type] ?? {})
  const possible = depth > 0 ? all : all.filter(([, { of }]) => of === undefined)
  const needed = possible.map(([key]) => key).filter((key) => mergeKeys.has(key))
  return fc.subarray(possible, { maxLength: Math.min(MOST_FIELDS, possible.length) }).chain((chosen) => {
    const names = new Set([...chosen.map(([key]) => key), ...needed])
    const fields = all
      .filter(([key]) => names.has(key))
      .map(([key, field]) => [key, fieldOf(field, depth - 1)] as const)
    return fc.record(Object.fromEntries(fields))
  })
}

const mergeKeys = new Set(
  Object.values(mergeSchema).flatMap((fields) => Object.values(fields).flatMap(({ mergeKey }) => mergeKey ?? [])),
)

/** A place in a value: the steps that lead to it. */
export type Place = readonly (string | number)[]

/** All keys of objects that have a type, so that no key of a free map is among them. */
export function listKeys(value: JsonValue, field: ValueField, at: Place = []): Place[] {
  if (field.of === undefined) return []
  const { of } = field
  if (Array.isArray(value)) return value.flatMap((item, index) => listKeysOfObject(item, of, [...at, index]))
  if (field.holds === 'map')
    return Object.entries(value ?? {}).flatMap(([key, item]) => listKeysOfObject(item, of, [...at, key]))
  return listKeysOfObject(value, of, at)
}

function listKeysOfObject(value: JsonValue, type: string, at: Place): Place[] {
  const fields = valueSchema[type] ?? {}
  return Object.entries(value as JsonObject).flatMap(([key, part]) => {
    const field = fields[key]
    return field === undefined ? [] : [[...at, key], ...listKeys(part ?? null, field, [...at, key])]
  })
}

/** The same value with something else at one place; a new name for the key if one is given. */
export function replaceAt(
  value: JsonValue,
  place: Place,
  change: (key: string, part: JsonValue) => [string, JsonValue],
): JsonValue {
  const [step, ...rest] = place
  if (Array.isArray(value))
    return value.map((item, index) =>
      index === step ? replaceAt(item as JsonValue, rest, change) : (item as JsonValue),
    )
  const entries = Object.entries(value as JsonObject).map(([key, part = null]): [string, JsonValue] => {
    if (key !== step) return [key, part]
    return rest.length === 0 ? change(key, part) : [key, replaceAt(part, rest, change)]
  })
  return Object.fromEntries(entries)
}

/** A slip of the fingers: a letter too few, one too many, or two swapped. */
export const anySlip: fc.Arbitrary<(key: string) => string> = fc
  .tuple(fc.nat(), fc.constantFrom('drop', 'double', 'swap'))
  .map(([where, how]) => (key: string) => {
    const index = where % key.length
    const [before, letter, after] = [key.slice(0, index), key.slice(index, index + 1), key.slice(index + 1)]
    if (how === 'drop') return before + after
    return how === 'double' ? before + letter + letter + after : before + after.slice(0, 1) + letter + after.slice(1)
  })
