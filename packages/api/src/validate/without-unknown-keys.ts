import { isJsonObject, valueSchema, type ValueField } from '@slurm-operator/kube'
import { kinds, type OurKind } from '../kinds/all.ts'
import type { Schema } from '../schema/schema.ts'
import { freeFormFields } from './check-free-form.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The same object without the keys that Kubernetes does not know. The reference ignores them, and server-side apply
 * would refuse the whole child because of them. Everything else is left as it is, also what has a wrong type.
 */
export function withoutUnknownKeys<T extends { readonly spec?: unknown }>(kind: OurKind, object: T): T {
  return { ...object, spec: cleanTyped(object.spec, kinds[kind].spec) }
}

function cleanTyped(value: unknown, schema: Schema): unknown {
  if (schema.freeForm !== undefined) return cleanField(value, freeFormFields[schema.freeForm])
  const { properties } = schema
  if (!isJsonObject(value) || properties === undefined) return value
  return mapFields(value, (name, part) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    return [field === undefined ? part : cleanTyped(part, field)]
  })
}

function cleanField(value: unknown, field: ValueField): unknown {
  if (field.of === undefined) return value
  const { of } = field
  if (field.holds === 'one') return cleanObject(value, of)
  if (Array.isArray(value)) return value.map((item) => cleanObject(item, of))
  return isJsonObject(value) && field.holds === 'map' ? mapFields(value, (_, part) => [cleanObject(part, of)]) : value
}

function cleanObject(value: unknown, type: string): unknown {
  if (!isJsonObject(value)) return value
  const fields = valueSchema[type] ?? {}
  return mapFields(value, (name, part) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    return field === undefined ? [] : [cleanField(part, field)]
  })
}

/** Each field replaced by one value, or left out. */
function mapFields(value: Fields, replace: (name: string, part: unknown) => readonly [unknown] | readonly []): Fields {
  const entries = Object.entries(value).flatMap(([name, part]) =>
    replace(name, part).map((one) => [name, one] as const),
  )
  return Object.fromEntries(entries)
}
