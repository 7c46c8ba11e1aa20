/** The parts of an OpenAPI v3 document that we read. */
export interface OpenApiDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** One verb of one path. */
interface Operation {
  readonly 'x-kubernetes-group-version-kind'?: GroupVersionKind
}

/** The name of a kind on the wire. */
interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** The shape of one value. */
export interface Schema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'
  readonly format?: string
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly allOf?: readonly Schema[]
  readonly $ref?: string
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[]
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular'
  readonly 'x-kubernetes-patch-merge-key'?: string
  readonly 'x-kubernetes-patch-strategy'?: string
}

/** The schema that this one stands for, by its long name; a reference may be wrapped to carry a default. */
export function referenceOf(schema: Schema): string | undefined {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
  return reference?.slice('#/components/schemas/'.length)
}

/** The long names of all schemas that a value of this shape may hold. */
export function referencesIn(schema: Schema): string[] {
  const own = referenceOf(schema)
  const parts = [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})]
  const below = parts.flatMap((part) => (typeof part === 'object' ? referencesIn(part) : []))
  return own === undefined ? below : [own, ...below]
}
