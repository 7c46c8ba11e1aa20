import { longNameOf, type Schemas } from './collect.ts'
import type { OpenApiDocument } from './openapi.ts'
import { placeOf, type Places } from './print-types.ts'
import { wanted, type WantedGroup } from './wanted.ts'

/** What a path tells about a kind: its plural name and whether it lives in namespaces. */
interface Endpoint {
  readonly plural: string
  readonly namespaced: boolean
}

/** The file of resource descriptors: one constant per kind that has a path of its own. */
export function printResources(documents: readonly OpenApiDocument[], schemas: Schemas, places: Places): string {
  const rows = wanted.flatMap((group) => group.kinds.map((kind) => ({ group, kind })))
  const found = rows.flatMap(({ group, kind }) => {
    const endpoint = findEndpoint(documents, group, kind)
    const place = placeOf(places, longNameOf(group, kind, schemas))
    return endpoint === undefined ? [] : [{ group, kind, place, endpoint }]
  })
  const byFile = Map.groupBy(found, ({ place }) => place.file)
  const imports = [...byFile].map(([file, rows]) => {
    const names = rows.map(({ place }) => place.name).sort()
    return `import type { ${names.join(', ')} } from './${file}.ts'`
  })
  const constants = found.map(({ group, kind, place, endpoint }) => {
    const fields = { group: group.group, version: group.version, ...endpoint, kind }
    return `export const ${variableFor(place.name)} = defineResource<${place.name}>(${JSON.stringify(fields)})`
  })
  return ["import { defineResource } from '../../client/resource.ts'", ...imports, '', ...constants].join('\n')
}

/** Evictions and scales are reached through other kinds only: they have none. */
function findEndpoint(
  documents: readonly OpenApiDocument[],
  { group, version }: WantedGroup,
  kind: string,
): Endpoint | undefined {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const pattern = new RegExp(`^${RegExp.escape(root)}(/namespaces/\\{namespace\\})?/([a-z]+)$`)
  for (const [path, verbs] of documents.flatMap((document) => Object.entries(document.paths ?? {}))) {
    const match = pattern.exec(path)
    const creates = verbs['post']?.['x-kubernetes-group-version-kind']
    if (match?.[2] === undefined || creates?.kind !== kind || creates.group !== group) continue
    return { plural: match[2], namespaced: match[1] !== undefined }
  }
  return undefined
}

function variableFor(typeName: string): string {
  return `${typeName[0]?.toLowerCase() ?? ''}${typeName.slice(1)}Resource`
}
