import { schemaNameOf, type Schema } from './openapi.ts'
import { opaqueSchemas } from './operations.ts'

/** A type of one version: the fields of an object, or a set of words. Other types in it are named `<Name>`. */
export type TypeDescription =
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, string> }
  | { readonly kind: 'words'; readonly words: readonly string[] }

/** All types of one version by name. */
export type VersionTypes = ReadonlyMap<string, TypeDescription>

/** Objects and sets of words get a name; lists and plain values are written where they are used. */
export function describeTypes(schemas: ReadonlyMap<string, Schema>, version: string): VersionTypes {
  const describer = new Describer(schemas, version)
  for (const [name, schema] of schemas) {
    if (schema.type === 'object') describer.describe(name, schema)
  }
  return describer.types
}

/** The names of other types in a text. */
export function typesNamedIn(text: string): string[] {
  return [...text.matchAll(/<(\w+)>/g)].flatMap((use) => use[1] ?? [])
}

class Describer {
  readonly types = new Map<string, TypeDescription>()
  readonly #nameByWords = new Map<string, string>()
  readonly #schemas: ReadonlyMap<string, Schema>
  readonly #version: string

  constructor(schemas: ReadonlyMap<string, Schema>, version: string) {
    this.#schemas = schemas
    this.#version = version
  }

  describe(name: string, schema: Schema): void {
    this.types.set(pascal(name), { kind: 'fields', fields: this.#fields(schema, pascal(name)) })
  }

  #fields(schema: Schema, owner: string): Map<string, string> {
    const entries = Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const optional = schema.required?.includes(name) === true ? '' : '?'
      return [name, `readonly ${name}${optional}: ${this.#typeOf(property, `${owner}${pascal(name)}`)}`] as const
    })
    return new Map(entries)
  }

  #typeOf(schema: Schema, site: string): string {
    if (schema.$ref !== undefined) return this.#typeOfRef(schema.$ref, site)
    if (schema.enum !== undefined) return this.#nameOf(schema.enum, site)
    if (schema.type === 'array') return `readonly ${this.#typeOf(schema.items ?? {}, site)}[]`
    if (schema.type === 'object') return this.#inline(schema, site)
    return plainTypes[schema.type ?? ''] ?? 'unknown'
  }

  #typeOfRef(ref: string, site: string): string {
    const name = schemaNameOf(ref).replace(`${this.#version}_`, '')
    const target = opaqueSchemas.has(name) ? undefined : this.#schemas.get(name)
    if (target?.type === 'object') return `<${pascal(name)}>`
    return target === undefined ? 'unknown' : this.#typeOf(target, site)
  }

  #inline(schema: Schema, site: string): string {
    const fields = [...this.#fields(schema, site).values()]
    return fields.length === 0 ? 'Readonly<Record<string, unknown>>' : `{ ${fields.join('; ')} }`
  }

  /** The same words get one name, that of the place where they are first met. */
  #nameOf(words: readonly string[], site: string): string {
    const known = this.#nameByWords.get(words.join())
    if (known !== undefined) return `<${known}>`
    this.#nameByWords.set(words.join(), site)
    this.types.set(site, { kind: 'words', words })
    return `<${site}>`
  }
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
}

function pascal(name: string): string {
  return name
    .split(/[_\s]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}
