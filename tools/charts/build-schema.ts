import type { ValueNode } from './read-values.ts'

/** As much of JSON Schema as Helm is asked to check. */
interface Schema {
  readonly [keyword: string]: unknown
}

/**
 * The `values.schema.json` of a chart: types and choices. Names that are not in it are allowed, because values files
 * that people have must go on working; null is allowed everywhere, because it takes a default away.
 */
export function buildSchema(chart: string, nodes: readonly ValueNode[]): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Values of the chart ${chart}`,
    type: 'object',
    properties: propertiesOf(nodes),
  }
}

function propertiesOf(nodes: readonly ValueNode[]): Schema {
  return Object.fromEntries(nodes.map((node) => [node.name, schemaOf(node)]))
}

function schemaOf(node: ValueNode): Schema {
  const { about, tags, children } = node
  const types = tags.types ?? typesOf(node.value)
  return {
    ...(about !== '' && { description: about }),
    ...(tags.choices !== undefined && { enum: [...tags.choices, null] }),
    ...(tags.choices === undefined && types.length > 0 && { type: [...types, 'null'] }),
    ...(tags.minimum !== undefined && { minimum: tags.minimum }),
    ...(children.length > 0 && { properties: propertiesOf(children) }),
    ...(tags.entries !== undefined && { additionalProperties: { $ref: pointerTo(tags.entries) } }),
  }
}

function typesOf(value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return ['array']
  if (typeof value === 'number') return [Number.isInteger(value) ? 'integer' : 'number']
  return [typeof value]
}

function pointerTo(path: string): string {
  return `#/properties/${path.split('.').join('/properties/')}`
}
