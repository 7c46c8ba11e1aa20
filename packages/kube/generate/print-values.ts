import type { Schemas } from './collect.ts'
import { referenceOf, referencesIn, type Schema } from './openapi.ts'
import { valueRoots } from './wanted.ts'

/** Types that are single values, although the server describes them as something of their own. */
const simpleTypes: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'int-or-string',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'any',
}

/** What every field below the wanted types may hold. */
export function printValueTable(schemas: Schemas): string {
  const table = Object.fromEntries(
    reachable(schemas).map((name) => {
      const fields = Object.entries(schemas.get(name)?.properties ?? {})
      return [name, Object.fromEntries(fields.map(([key, field]) => [key, describeField(`${name}.${key}`, field)]))]
    }),
  )
  const type = "import type { ValueSchema } from '../value-schema.ts'"
  return `${type}\n\nexport const valueSchema: ValueSchema = ${JSON.stringify(table)}`
}

function reachable(schemas: Schemas): string[] {
  const found = new Set<string>()
  const waiting = [...valueRoots]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name) || simpleTypes[name] !== undefined) continue
    found.add(name)
    waiting.push(...referencesIn(schemas.get(name) ?? {}))
  }
  return [...found].sort()
}

function describeField(place: string, field: Schema): object {
  const values = field.additionalProperties
  if (field.type === 'array') return { holds: 'list', ...describeValue(place, field.items ?? {}) }
  if (typeof values === 'object') return { holds: 'map', ...describeValue(place, values) }
  return { holds: 'one', ...describeValue(place, field) }
}

function describeValue(place: string, schema: Schema): object {
  const reference = referenceOf(schema)
  if (reference !== undefined) {
    const simple = simpleTypes[reference]
    return simple === undefined ? { of: reference } : { simple }
  }
  if (schema.type === 'array' || typeof schema.additionalProperties === 'object')
    throw new Error(`Cannot describe ${place}: a list or map within another is not foreseen. Extend ValueField.`)
  return { simple: simpleOf(schema), ...(schema.enum && { words: schema.enum }) }
}

function simpleOf({ type, format }: Schema): string {
  if (type === 'integer') return format === 'int64' ? 'int64' : 'int32'
  return type === undefined || type === 'object' || type === 'array' ? 'any' : type
}
