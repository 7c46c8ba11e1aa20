import type { JsonObject, JSONSchemaProps } from '@slurm-operator/kube'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ManagedFieldsEntry } from '../objects/api-object.ts'
import { applyConfiguration } from './apply-configuration.ts'
import { compareFields } from './compare.ts'
import { customTopology } from './custom-topology.ts'
import { below, inServerOrder, parseFieldSet, printFieldSet } from './field-set.ts'
import type { Writing } from './update-ownership.ts'
import { fieldsOf } from './walk.ts'

const text = { type: 'string' } as const
const schema: JSONSchemaProps = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        labels: { type: 'object', additionalProperties: text },
        words: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        list: { type: 'array', items: text },
        inner: { type: 'object', properties: { a: text, b: text } },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: text, value: text } },
        },
      },
    },
  },
}
const topology = customTopology(schema)

const anyWord = fc.constantFrom('x', 'y', 'z')
const anyPart = fc.record({ name: anyWord, value: anyWord }, { requiredKeys: ['name'] })
// Nothing is empty: a real server does not treat what becomes empty the same way twice.
const anySpec = fc.record(
  {
    size: fc.nat(3),
    labels: fc.dictionary(anyWord, anyWord, { minKeys: 1 }),
    words: fc.uniqueArray(anyWord, { minLength: 1 }),
    list: fc.array(anyWord, { minLength: 1, maxLength: 2 }),
    inner: fc.record({ a: anyWord, b: anyWord }, { requiredKeys: ['a'] }),
    parts: fc.uniqueArray(anyPart, { selector: ({ name }) => name, minLength: 1 }),
  },
  { requiredKeys: ['size'] },
)
const anyWish = fc.record({ manager: fc.constantFrom('one', 'two'), spec: anySpec })

interface State {
  readonly object: JsonObject | undefined
  readonly entries: readonly ManagedFieldsEntry[] | undefined
}

const nothing: State = { object: undefined, entries: undefined }

function apply({ object, entries }: State, manager: string, spec: JsonObject) {
  const writing: Writing = {
    manager,
    apiVersion: 'test/v1',
    subresource: undefined,
    hasStatus: false,
    time: 'now',
    topology,
  }
  const wanted = { apiVersion: 'test/v1', kind: 'Thing', metadata: { name: 'a' }, spec }
  const applied = applyConfiguration(object, wanted, entries, writing)
  return { object: applied.object, entries: applied.managedFields, conflicts: applied.conflicts }
}

function applyAll(wishes: readonly { readonly manager: string; readonly spec: JsonObject }[]): State {
  return wishes.reduce<State>((state, { manager, spec }) => apply(state, manager, spec), nothing)
}

describe('apply, whatever was applied before and by whom,', () => {
  test('twice is the same as once', () => {
    fc.assert(
      fc.property(fc.array(anyWish), anyWish, (before, { manager, spec }) => {
        const once = apply(applyAll(before), manager, spec)
        const twice = apply(once, manager, spec)
        expect([twice.object, twice.entries, twice.conflicts]).toEqual([once.object, once.entries, []])
      }),
    )
  })

  test('leads to what was wanted', () => {
    fc.assert(
      fc.property(fc.array(anyWish), anyWish, (before, { manager, spec }) => {
        const { object } = apply(applyAll(before), manager, spec)
        const wanted = fieldsOf({ spec }, topology)
        expect([...wanted].filter((path) => !fieldsOf(object, topology).has(path) && !hasBelow(object, path))).toEqual(
          [],
        )
        expect(compareFields(object, { ...object, ...withWanted(object, spec) }, topology).set.size).toBe(0)
      }),
    )
  })

  test('by one manager alone leaves nothing of earlier wishes', () => {
    fc.assert(
      fc.property(fc.array(anySpec), anySpec, (before, spec) => {
        const { object } = apply(applyAll(before.map((one) => ({ manager: 'one', spec: one }))), 'one', spec)
        expect(fieldsOf(object, topology)).toEqual(fieldsOf(apply(nothing, 'one', spec).object, topology))
      }),
    )
  })

  test('never takes away what another manager still owns', () => {
    fc.assert(
      fc.property(anySpec, anySpec, anySpec, (mine, first, second) => {
        const shared = apply(apply(nothing, 'one', mine), 'two', first)
        const later = apply(shared, 'two', second)
        const owned = (state: State) =>
          parseFieldSet(state.entries?.find(({ manager }) => manager === 'one')?.fieldsV1 ?? {})
        const present = fieldsOf(later.object, topology)
        const lost = [...owned(later)].filter((path) => !present.has(path) && !hasBelow(later.object, path))
        expect(lost).toEqual([])
      }),
    )
  })

  test('conflicts exactly where another owns a field that changes', () => {
    fc.assert(
      fc.property(anySpec, anySpec, (mine, other) => {
        const first = apply(nothing, 'one', mine)
        const { conflicts } = apply(first, 'two', other)
        const differ = mine.size !== undefined && other.size !== undefined && mine.size !== other.size
        expect(conflicts.some(({ field }) => field === below('f:spec', 'f:size'))).toBe(differ)
      }),
    )
  })
})

/** Whether something is there below a path, or an empty container at it. */
function hasBelow(object: JsonObject | undefined, path: string): boolean {
  return [...fieldsOf(object, topology)].some((one) => one.startsWith(path))
}

/** The object with all wanted scalars laid over it once more. */
function withWanted(object: JsonObject, spec: { readonly size?: number }): JsonObject {
  const present = object['spec'] as JsonObject | undefined
  return spec.size === undefined ? {} : { spec: { ...present, size: spec.size } }
}

test('a set of fields survives its way over the wire', () => {
  fc.assert(
    fc.property(anySpec, (spec) => {
      const fields = fieldsOf({ spec }, topology)
      expect(parseFieldSet(JSON.parse(JSON.stringify(printFieldSet(fields))) as JsonObject)).toEqual(fields)
      expect(new Set(inServerOrder(fields))).toEqual(fields)
    }),
  )
})
