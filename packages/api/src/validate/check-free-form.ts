/**
 * What users write into pods, containers, Services and claims, held against the types of Kubernetes. The API server
 * does not look at these parts of our objects.
 *
 * @module
 */
import { isJsonObject, mergeSchema, valueSchema, type ValueField } from '@slurm-operator/kube'
import type { FreeFormType } from '../schema/schema.ts'
import { complain, whyNotSimple } from './check-simple.ts'
import { findNearest } from './did-you-mean.ts'
import { below, type Problem } from './problem.ts'

/** What each free-form field holds. */
export const freeFormFields: Readonly<Record<FreeFormType, ValueField>> = {
  PodSpec: { holds: 'one', of: 'io.k8s.api.core.v1.PodSpec' },
  Container: { holds: 'one', of: 'io.k8s.api.core.v1.Container' },
  ServiceSpec: { holds: 'one', of: 'io.k8s.api.core.v1.ServiceSpec' },
  PersistentVolumeClaims: { holds: 'list', of: 'io.k8s.api.core.v1.PersistentVolumeClaim' },
}

/** The problems of one free-form field. */
export function checkFreeForm(value: unknown, type: FreeFormType, path: string): Iterable<Problem> {
  return checkField(value, freeFormFields[type], path)
}

/** `null` means that nothing was written. */
function* checkField(value: unknown, field: ValueField, path: string): Generator<Problem> {
  if (value === null || value === undefined) return
  switch (field.holds) {
    case 'one':
      return yield* checkOne(value, field, path)
    case 'list':
      if (!Array.isArray(value)) return yield { path, ...complain(value, 'a list'), severity: 'error' }
      for (const [index, item] of value.entries()) yield* checkItem(item, field, below(path, index))
      return
    case 'map':
      if (!isJsonObject(value)) return yield { path, ...complain(value, 'a map'), severity: 'error' }
      for (const [key, item] of Object.entries(value)) if (item !== null) yield* checkOne(item, field, below(path, key))
  }
}

/** A list has no place for nothing. */
function* checkItem(value: unknown, field: ValueField, path: string): Generator<Problem> {
  if (value !== null) return yield* checkOne(value, field, path)
  yield { path, problem: 'it is null, and a list cannot hold that', advice: 'Remove it.', severity: 'error' }
}

function* checkOne(value: unknown, { simple, of, words }: ValueField, path: string): Generator<Problem> {
  if (of !== undefined) return yield* checkObject(value, of, path)
  const complaint = whyNotSimple(value, simple ?? 'any')
  if (complaint !== undefined) return yield { path, ...complaint, severity: 'error' }
  if (words !== undefined && typeof value === 'string' && !words.includes(value)) yield unknownWord(value, words, path)
}

function* checkObject(value: unknown, type: string, path: string): Generator<Problem> {
  if (!isJsonObject(value)) return yield { path, ...complain(value, 'an object'), severity: 'error' }
  const fields = valueSchema[type] ?? {}
  for (const [key, part] of Object.entries(value)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (field === undefined) {
      yield unknownKey(key, type, below(path, key))
      continue
    }
    yield* checkField(part, field, below(path, key))
    if (Array.isArray(part)) yield* checkMergeKeys(part, mergeKeyOf(type, key), below(path, key))
  }
}

/** Elements without the key by which lists are merged belong to nobody. */
function* checkMergeKeys(items: readonly unknown[], mergeKey: string | undefined, path: string): Generator<Problem> {
  if (mergeKey === undefined) return
  for (const [index, item] of items.entries()) {
    if (!isJsonObject(item) || (Object.hasOwn(item, mergeKey) && item[mergeKey] !== null)) continue
    const problem = `it has no ${mergeKey}, by which it is told from the others`
    yield { path: below(path, index), problem, advice: `Give it a ${mergeKey}.`, severity: 'error' }
  }
}

function mergeKeyOf(type: string, key: string): string | undefined {
  const field = mergeSchema[type]?.[key]
  return field?.patchStrategy?.includes('merge') === true ? field.mergeKey : undefined
}

function unknownKey(key: string, type: string, path: string): Problem {
  const near = findNearest(key, Object.keys(valueSchema[type] ?? {}))
  const hint = near === undefined ? 'Remove it' : `Did you mean ${near}`
  return {
    path,
    problem: `a ${type.split('.').at(-1)} of Kubernetes has no field of this name, so it does nothing`,
    advice: near === undefined ? `${hint}.` : `${hint}?`,
    severity: 'warning',
  }
}

/** A newer Kubernetes may know more words, so this is no error. */
function unknownWord(value: string, words: readonly string[], path: string): Problem {
  const near = findNearest(value, words)
  const advice = near === undefined ? `Write one of ${words.join(', ')}.` : `Did you mean ${near}?`
  return { path, problem: 'Kubernetes does not know this word here', advice, severity: 'warning' }
}
