import type { Schemas } from './collect.ts'
import type { Place } from './names.ts'
import { referenceOf, referencesIn, type Schema } from './openapi.ts'
import { known } from './wanted.ts'

/** Where each schema goes. */
export type Places = ReadonlyMap<string, Place>

/** The text of each file of types, by file name without its ending. */
export function printTypes(schemas: Schemas, places: Places): ReadonlyMap<string, string> {
  const byFile = Map.groupBy(schemas, ([name]) => placeOf(places, name).file)
  return new Map(
    [...byFile].map(([file, members]) => {
      const declarations = members.map(([name, schema]) => printDeclaration(name, schema, places))
      return [file, [...printImports(file, members, places), ...declarations].join('\n\n')]
    }),
  )
}

/** The place of a schema that surely has one. */
export function placeOf(places: Places, longName: string): Place {
  const place = places.get(longName)
  if (place === undefined) throw new Error(`Cannot print ${longName}: it was not collected`)
  return place
}

function printImports(file: string, members: readonly (readonly [string, Schema])[], places: Places): string[] {
  const used = members.flatMap(([name, schema]) => (known[name] === undefined ? referencesIn(schema) : []))
  const elsewhere = [...new Set(used)].map((name) => placeOf(places, name)).filter((place) => place.file !== file)
  const byFile = Map.groupBy(elsewhere, (place) => place.file)
  const lines = [...byFile]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([from, names]) => {
      const list = names.map(({ name }) => name).sort()
      return `import type { ${list.join(', ')} } from './${from}.ts'`
    })
  return lines.length === 0 ? [] : [lines.join('\n')]
}

function printDeclaration(longName: string, schema: Schema, places: Places): string {
  const { name } = placeOf(places, longName)
  const override = known[longName]
  if (override !== undefined) return `export type ${name} = ${override}`
  if (schema.type !== 'object') return `export type ${name} = ${printType(schema, places)}`
  const fields = Object.entries(schema.properties ?? {}).map(([key, field]) => printField(key, field, schema, places))
  return `export interface ${name} {\n${fields.map((line) => `  ${line}`).join('\n')}\n}`
}

function printField(key: string, field: Schema, owner: Schema, places: Places): string {
  const quoted = /^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`
  const literal = literalOf(key, owner)
  if (literal !== undefined) return `readonly ${quoted}: '${literal}'`
  const isRequired = owner.required?.includes(key) === true || isObjectMeta(field)
  return `readonly ${quoted}${isRequired ? '' : '?'}: ${printType(field, places)}`
}

/** What a kind calls itself is no open question. DeleteOptions and Status belong to all groups: theirs stays open. */
function literalOf(key: string, owner: Schema): string | undefined {
  const [only, ...others] = owner['x-kubernetes-group-version-kind'] ?? []
  if (only === undefined || others.length > 0) return undefined
  if (key === 'kind') return only.kind
  if (key === 'apiVersion') return only.group === '' ? only.version : `${only.group}/${only.version}`
  return undefined
}

/** The server always answers with it, and whoever writes an object needs it. */
function isObjectMeta(schema: Schema): boolean {
  return referenceOf(schema)?.endsWith('.meta.v1.ObjectMeta') === true
}

function printType(schema: Schema, places: Places): string {
  const reference = referenceOf(schema)
  if (reference !== undefined) return placeOf(places, reference).name
  switch (schema.type) {
    case 'string':
      return schema.enum === undefined ? 'string' : schema.enum.map((value) => `'${value}'`).join(' | ')
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      return `readonly ${wrapped(printType(schema.items ?? {}, places))}[]`
    case 'object':
      return `Readonly<Record<string, ${printType(valuesOf(schema), places)}>>`
    default:
      return 'unknown'
  }
}

function wrapped(type: string): string {
  return /^[\w.<>, ]+$/.test(type) && !type.startsWith('readonly ') ? type : `(${type})`
}

function valuesOf(schema: Schema): Schema {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
}
