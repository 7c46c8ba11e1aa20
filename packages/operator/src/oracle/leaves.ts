/**
 * Every field of every kind, found by walking the schemas: a new field is edited by the tests from the day it exists.
 *
 * @module
 */
import { kinds, type OurKind, type Schema } from '@slurm-operator/api'
import type { JsonObject, JsonValue } from '@slurm-operator/kube'

/** A step into a value: a field, an item of a list, or a value of a map. */
type Step = string
const ITEM: Step = '[]'
const ENTRY: Step = '{}'

/** A place where a value stands. A free-form field is one place: Kubernetes says what is in it. */
export interface Leaf {
  readonly kind: OurKind
  readonly steps: readonly Step[]
  readonly schema: Schema
  /** For people and tables, such as `Controller.metrics.serviceMonitor.labels{}`. */
  readonly path: string
}

/** All places in the spec of a kind. */
export function listLeaves(kind: OurKind): readonly Leaf[] {
  return walk(kinds[kind].spec, []).map(({ steps, schema }) => ({
    ...{ kind, steps, schema },
    path: `${kind}${steps.map((step) => (isField(step) ? `.${step}` : step)).join('')}`,
  }))
}

function walk(schema: Schema, steps: readonly Step[]): readonly Pick<Leaf, 'steps' | 'schema'>[] {
  const { properties, items, additionalProperties, freeForm } = schema
  if (freeForm !== undefined) return [{ steps, schema }]
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, field]) => walk(field, [...steps, name]))
  if (items !== undefined) return walk(items, [...steps, ITEM])
  if (additionalProperties !== undefined) return walk(additionalProperties, [...steps, ENTRY])
  return [{ steps, schema }]
}

function isField(step: Step): boolean {
  return step !== ITEM && step !== ENTRY
}

/** A merge patch of the spec that puts a value there, and beside it what the schema demands there. */
export function patchAt(
  { kind, steps }: Leaf,
  value: JsonValue,
  leastOf: (path: string, schema: Schema) => JsonValue,
): JsonObject {
  return wrap(kinds[kind].spec, steps, kind) as JsonObject

  function wrap(schema: Schema, [step, ...rest]: readonly Step[], path: string): JsonValue {
    if (step === undefined) return value
    if (step === ITEM) return [wrap(schema.items ?? {}, rest, path + ITEM)]
    const field = (step === ENTRY ? schema.additionalProperties : schema.properties?.[step]) ?? {}
    if (step === ENTRY) return { [entryName(path)]: wrap(field, rest, path + ENTRY) }
    const demanded = path === kind ? [] : siblingsOf(schema, step)
    const beside = demanded.map((name) => [name, least(schema.properties?.[name] ?? {}, `${path}.${name}`)])
    return { ...Object.fromEntries(beside), [step]: wrap(field, rest, `${path}.${step}`) }
  }

  function least(schema: Schema, path: string): JsonValue {
    if (schema.properties === undefined) return leastOf(path, schema)
    const fields = siblingsOf(schema).map((name) => [name, least(schema.properties?.[name] ?? {}, `${path}.${name}`)])
    return Object.fromEntries(fields) as JsonObject
  }
}

/** The fields that must be there; the API server fills in those that have a default, but for empty names. */
function siblingsOf({ required = [], properties = {} }: Schema, but?: Step): readonly string[] {
  const named = properties['name']?.default === '' ? ['name'] : []
  const demanded = required.filter((name) => properties[name]?.default === undefined)
  return [...new Set([...demanded, ...named])].filter((name) => name !== but)
}

/** Maps of quantities have names that mean something; in all others any will do. */
function entryName(path: string): string {
  return path.includes('.resources.') ? 'storage' : 'example.com/note'
}
