import { schemaNameOf, type OpenApiDocument, type Schema } from './openapi.ts'
import { opaqueSchemas, operationsOf } from './operations.ts'

/** The named schemas that our calls reach in one version, by name without the version, in the order they are met. */
export function reachableSchemas(document: OpenApiDocument, version: string): Map<string, Schema> {
  const reached = new Map<string, Schema>()
  const visit = (schema: Schema): void => {
    for (const ref of refsIn(schema)) {
      const name = schemaNameOf(ref).replace(`${version}_`, '')
      const target = document.components.schemas[schemaNameOf(ref)]
      if (target === undefined || reached.has(name) || opaqueSchemas.has(name)) continue
      reached.set(name, target)
      visit(target)
    }
  }
  for (const schema of rootsOf(document, version)) visit(schema)
  return reached
}

function rootsOf(document: OpenApiDocument, version: string): Schema[] {
  return operationsOf(document, version).flatMap(({ requestBody, responses }) =>
    [requestBody, responses['200']].flatMap((body) => body?.content?.['application/json']?.schema ?? []),
  )
}

function refsIn(schema: Schema): string[] {
  if (schema.$ref !== undefined) return [schema.$ref]
  const parts = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])]
  return parts.flatMap(refsIn)
}

/** Both daemons serve this version: a field or word that either knows must have a place in the type. */
export function mergeSchemas(one: Schema, other: Schema | undefined): Schema {
  if (other === undefined) return one
  return {
    ...one,
    ...(one.properties && { properties: mergeProperties(one.properties, other.properties ?? {}) }),
    ...(one.required && { required: one.required.filter((name) => other.required?.includes(name)) }),
    ...(one.items && { items: mergeSchemas(one.items, other.items) }),
    ...(one.enum && { enum: [...new Set([...one.enum, ...(other.enum ?? [])])] }),
  }
}

function mergeProperties(one: Readonly<Record<string, Schema>>, other: Readonly<Record<string, Schema>>) {
  const merged: Record<string, Schema> = { ...other }
  for (const [name, schema] of Object.entries(one)) merged[name] = mergeSchemas(schema, other[name])
  return merged
}
