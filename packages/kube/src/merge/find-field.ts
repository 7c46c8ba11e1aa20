import type { MergeField, MergeSchema } from './merge-schema.ts'

/** A place in a document: the type of the map there, if the table knows it. */
export interface Place {
  readonly schema: MergeSchema
  readonly type: string | undefined
}

/** How a field is merged, in the words of the code instead of those of the table. */
export interface FieldRule {
  readonly mergeKey: string | undefined
  readonly strategy: 'merge' | 'replace' | undefined
  readonly retainKeys: boolean
  /** The map in this field, or each map in this list. */
  readonly inside: Place
}

/** The rule for one field; plain data if the table does not know it. */
export function findField({ schema, type }: Place, key: string): FieldRule {
  const fields = type !== undefined && Object.hasOwn(schema, type) ? schema[type] : undefined
  const field: MergeField = fields && Object.hasOwn(fields, key) ? (fields[key] ?? {}) : {}
  const strategies = (field.patchStrategy ?? '').split(',')
  return {
    mergeKey: field.mergeKey,
    strategy: strategies.includes('merge') ? 'merge' : strategies.includes('replace') ? 'replace' : undefined,
    retainKeys: strategies.includes('retainKeys'),
    inside: { schema, type: field.of },
  }
}
