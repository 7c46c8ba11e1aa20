/** The part of an OpenAPI document that we read. */
export interface OpenApiDocument {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** What one method of one path takes and answers. */
export interface Operation {
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

/** The part of a schema that decides about types; the words of people in it are left where they are. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly string[]
}

/** `#/components/schemas/v0.0.45_node` → `v0.0.45_node` */
export function schemaNameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}
