/**
 * The parts of our objects that the API server checks itself. It does so only with our CRDs: with those of somebody
 * else, or for objects that were stored before, we look ourselves.
 *
 * @module
 */
import { isJsonObject, type SimpleValue } from '@slurm-operator/kube'
import type { Schema } from '../schema/schema.ts'
import { checkFreeForm } from './check-free-form.ts'
import { complain, whyNotSimple } from './check-simple.ts'
import { findNearest } from './did-you-mean.ts'
import { below, type Problem } from './problem.ts'

/** The problems of a value of ours, free-form fields in it included. */
export function* checkTyped(value: unknown, schema: Schema, path: string): Generator<Problem> {
  if (value === null || value === undefined) return
  if (schema.freeForm !== undefined) return yield* checkFreeForm(value, schema.freeForm, path)
  if (schema.type === 'object') return yield* checkObject(value, schema, path)
  if (schema.type === 'array') return yield* checkList(value, schema, path)
  const complaint = whyNotSimple(value, simpleOf(schema)) ?? whyOutOfBounds(value, schema)
  if (complaint !== undefined) yield { path, ...complaint, severity: 'error' }
}

function* checkObject(value: unknown, schema: Schema, path: string): Generator<Problem> {
  if (!isJsonObject(value)) return yield { path, ...complain(value, 'an object'), severity: 'error' }
  const { properties = {}, additionalProperties, required = [] } = schema
  const given = new Map(Object.entries(value).filter(([, part]) => part !== null && part !== undefined))
  for (const name of required) {
    if (given.has(name) || properties[name]?.default !== undefined) continue
    yield { path: below(path, name), problem: 'it is missing', advice: 'Add it.', severity: 'error' }
  }
  for (const [name, part] of given) {
    const field = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (field !== undefined) yield* checkTyped(part, field, below(path, name))
  }
}

function* checkList(value: unknown, { items = {} }: Schema, path: string): Generator<Problem> {
  if (!Array.isArray(value)) return yield { path, ...complain(value, 'a list'), severity: 'error' }
  for (const [index, item] of value.entries()) yield* checkTyped(item, items, below(path, index))
}

function simpleOf({ type, format, 'x-kubernetes-int-or-string': intOrString }: Schema): SimpleValue {
  if (intOrString === true) return 'int-or-string'
  if (type === 'integer') return format === 'int32' ? 'int32' : 'int64'
  if (format === 'date-time') return 'time'
  return type === 'string' || type === 'boolean' ? type : 'any'
}

type Bounds = Pick<Schema, 'minimum' | 'maximum' | 'enum' | 'pattern' | 'minLength' | 'maxLength'>

function whyOutOfBounds(value: unknown, bounds: Bounds): Omit<Problem, 'path' | 'severity'> | undefined {
  if (typeof value === 'number') return whyWrongNumber(value, bounds)
  return typeof value === 'string' ? whyWrongText(value, bounds) : undefined
}

function whyWrongNumber(value: number, { minimum = -Infinity, maximum = Infinity }: Bounds) {
  if (value < minimum) return { problem: `${value} is too small`, advice: `Write at least ${minimum}.` }
  return value > maximum ? { problem: `${value} is too large`, advice: `Write at most ${maximum}.` } : undefined
}

function whyWrongText(value: string, { enum: words, pattern, minLength = 0, maxLength = Infinity }: Bounds) {
  if (words !== undefined && !words.includes(value)) {
    const near = findNearest(value, words)
    const advice = near === undefined ? `Write one of ${words.join(', ')}.` : `Did you mean ${near}?`
    return { problem: 'this word means nothing here', advice }
  }
  if (value.length < minLength) return { problem: 'it is too short', advice: `Use at least ${minLength} characters.` }
  if (value.length > maxLength) return { problem: 'it is too long', advice: `Use at most ${maxLength} characters.` }
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined
  return { problem: 'it has characters or a form that are not allowed', advice: `It must match ${pattern}.` }
}
