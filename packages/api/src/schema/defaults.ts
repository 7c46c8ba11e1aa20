import { isJsonObject } from '@slurm-operator/kube'
import type { Schema } from './schema.ts'

/**
 * An object whose spec has all defaults, those that the server stores and those that only we know. What is `null`
 * counts as absent. The object itself stays as it is, and free-form fields are passed on untouched.
 */
export function withSchemaDefaults<T extends { readonly spec: unknown }>(object: T, spec: Schema): T {
  return { ...object, spec: fillIn(object.spec ?? {}, spec) }
}

function fillIn(value: unknown, schema: Schema): unknown {
  if (schema.freeForm !== undefined) return value
  if (Array.isArray(value)) return value.map((item) => fillIn(item, schema.items ?? {}))
  return isJsonObject(value) && schema.properties !== undefined ? fillInFields(value, schema.properties) : value
}

function fillInFields(value: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, Schema>>): unknown {
  const known = Object.entries(fields).flatMap(([name, schema]) => {
    const given = Object.hasOwn(value, name) ? value[name] : undefined
    const filled = fillIn(given ?? schema.default ?? schema.defaultInMemory, schema)
    return filled === undefined ? [] : [[name, filled] as const]
  })
  const unknown = Object.entries(value).filter(([name]) => !Object.hasOwn(fields, name))
  return Object.fromEntries([...unknown, ...known])
}
