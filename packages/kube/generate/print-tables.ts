import { longNameOf, type Schemas } from './collect.ts'
import { referenceOf, type Schema } from './openapi.ts'
import { wanted } from './wanted.ts'

/** A row of a table: what is worth knowing about one field, and the type that goes on from there. */
type Row = Readonly<Record<string, unknown>>

/** The keys of strategic merge patches. */
export function printMergeTable(schemas: Schemas): string {
  const table = buildTable(schemas, (field) => ({
    ...given('mergeKey', field['x-kubernetes-patch-merge-key']),
    ...given('patchStrategy', field['x-kubernetes-patch-strategy']),
  }))
  const type = "import type { MergeSchema } from '../../merge/merge-schema.ts'"
  return `${type}\n\nexport const mergeSchema: MergeSchema = ${JSON.stringify(table)}`
}

/** The kinds of lists and maps of server-side apply. */
export function printApplyTable(schemas: Schemas): string {
  const table = buildTable(schemas, (field) => {
    const mapType = field['x-kubernetes-map-type'] ?? schemas.get(referenceOf(field) ?? '')?.['x-kubernetes-map-type']
    return {
      ...given('listType', field['x-kubernetes-list-type']),
      ...given('keys', field['x-kubernetes-list-map-keys']),
      ...given('mapType', mapType),
    }
  })
  const type = "import type { ApplySchema } from '../apply-schema.ts'"
  return `${type}\n\nexport const applySchema: ApplySchema = ${JSON.stringify(table)}`
}

/** Which type in these tables a kind is: `apps/v1 StatefulSet` and so on. */
export function printKindTable(schemas: Schemas): string {
  const rows = wanted.flatMap((group) =>
    group.kinds.map((kind) => {
      const apiVersion = group.group === '' ? group.version : `${group.group}/${group.version}`
      return [`${apiVersion} ${kind}`, longNameOf(group, kind, schemas)] as const
    }),
  )
  return `export const schemaNames: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(rows))}`
}

/** Only types that say something, or lead to one that does. */
function buildTable(schemas: Schemas, describe: (field: Schema) => Row): Record<string, Record<string, Row>> {
  const telling = findTelling(schemas, describe)
  const rows = [...schemas].flatMap(([name, schema]) => {
    if (!telling.has(name)) return []
    const fields = Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
      const target = targetOf(field)
      const row = {
        ...describe(field),
        ...given('of', target !== undefined && telling.has(target) ? target : undefined),
      }
      return Object.keys(row).length === 0 ? [] : [[key, row] as const]
    })
    return [[name, Object.fromEntries(fields)] as const]
  })
  return Object.fromEntries(rows)
}

/** Types refer to each other in circles: repeat until nothing is added. */
function findTelling(schemas: Schemas, describe: (field: Schema) => Row): ReadonlySet<string> {
  const telling = new Set<string>()
  const tells = (field: Schema) => Object.keys(describe(field)).length > 0 || telling.has(targetOf(field) ?? '')
  for (let before = -1; before < telling.size;) {
    before = telling.size
    for (const [name, schema] of schemas) if (Object.values(schema.properties ?? {}).some(tells)) telling.add(name)
  }
  return telling
}

function targetOf(field: Schema): string | undefined {
  const values = typeof field.additionalProperties === 'object' ? field.additionalProperties : undefined
  return referenceOf(field) ?? referenceOf(field.items ?? {}) ?? referenceOf(values ?? {})
}

function given(key: string, value: unknown): Row {
  return value === undefined ? {} : { [key]: value }
}
