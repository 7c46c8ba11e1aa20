import { referencesIn, type OpenApiDocument, type Schema } from './openapi.ts'
import { known, wanted, wantedSchemas, type WantedGroup } from './wanted.ts'

/** A schema with its long name, such as `io.k8s.api.core.v1.Pod`. */
export type Schemas = ReadonlyMap<string, Schema>

/** All schemas of all documents; a name means the same in each of them. */
export function allSchemas(documents: readonly OpenApiDocument[]): Schemas {
  return new Map(documents.flatMap((document) => Object.entries(document.components?.schemas ?? {})))
}

/** The wanted kinds and all they refer to, in the order of their names. */
export function collectWanted(schemas: Schemas): Schemas {
  const found = new Map<string, Schema>()
  const waiting = [...wanted.flatMap((group) => longNamesOf(group, schemas)), ...wantedSchemas]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue
    const schema = schemas.get(name)
    if (schema === undefined)
      throw new Error(`Cannot generate types: the server describes no ${name}. Remove it from wanted.ts.`)
    found.set(name, schema)
    if (known[name] === undefined) waiting.push(...referencesIn(schema))
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The long name of a kind. */
export function longNameOf(group: WantedGroup, kind: string, schemas: Schemas): string {
  for (const [name, schema] of schemas) {
    const kinds = schema['x-kubernetes-group-version-kind'] ?? []
    const isIt = kinds.some((one) => one.group === group.group && one.version === group.version && one.kind === kind)
    if (isIt && name.endsWith(`.${kind}`)) return name
  }
  throw new Error(`Cannot generate types: the server has no ${kind} in ${group.group}/${group.version}`)
}

function longNamesOf(group: WantedGroup, schemas: Schemas): string[] {
  return group.kinds.map((kind) => longNameOf(group, kind, schemas))
}
