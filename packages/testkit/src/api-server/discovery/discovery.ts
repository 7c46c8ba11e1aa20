/**
 * What a server tells about itself: groups, versions and resources, in the old form of one document per version and in
 * the new one of two documents for everything.
 *
 * @module
 */
import { noSuchPath } from '../objects/failure.ts'
import { documentReply, type Reply } from '../requests/call.ts'
import type { Registry } from '../resources/registry.ts'
import type { ResourceType } from '../resources/resource-type.ts'

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
const AGGREGATED = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** Answer a path of discovery. */
export function discover(registry: Registry, parts: readonly string[], accept: string): Reply {
  const [root, group, version] = parts
  if (parts.length === 1 && accept.replaceAll(' ', '').includes(AGGREGATED))
    return { ...documentReply(aggregated(registry, root === 'api')), contentType: `application/json;${AGGREGATED}` }
  if (root === 'api') return group === undefined ? documentReply(coreVersions) : resourceList(registry, '', group)
  if (group === undefined)
    return documentReply({
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: groupNames(registry).map((name) => groupOf(registry, name)),
    })
  if (!registry.hasGroup(group)) throw noSuchPath()
  if (version === undefined) return documentReply({ kind: 'APIGroup', apiVersion: 'v1', ...groupOf(registry, group) })
  return resourceList(registry, group, version)
}

const coreVersions = { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }

function groupNames(registry: Registry): string[] {
  return [...new Set(registry.all().map(({ group }) => group))].filter((group) => group !== '')
}

function versionsOf(registry: Registry, group: string): string[] {
  return [
    ...new Set(
      registry
        .all()
        .filter((type) => type.group === group)
        .map(({ version }) => version),
    ),
  ]
}

function groupOf(registry: Registry, name: string) {
  const versions = versionsOf(registry, name).map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions, preferredVersion: versions[0] }
}

function typesIn(registry: Registry, group: string, version: string): ResourceType[] {
  return registry.all().filter((type) => type.group === group && type.version === version)
}

function resourceList(registry: Registry, group: string, version: string): Reply {
  const types = typesIn(registry, group, version)
  if (types.length === 0) throw noSuchPath()
  const groupVersion = group === '' ? version : `${group}/${version}`
  return documentReply({
    kind: 'APIResourceList',
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion,
    resources: types.flatMap(rowsOf),
  })
}

function rowsOf(type: ResourceType) {
  const { plural, singular, namespaced, kind, shortNames, categories } = type
  return [
    {
      ...{ name: plural, singularName: singular, namespaced, kind, verbs: verbsOf(type) },
      ...(shortNames.length > 0 && { shortNames }),
      ...(categories.length > 0 && { categories }),
    },
    ...type.subresources.map((name) => {
      const { group, version, kind, verbs } = subresourceOf(type, name)
      return {
        name: `${plural}/${name}`,
        singularName: '',
        namespaced,
        ...(group !== undefined && { group, version }),
        kind,
        verbs,
      }
    }),
  ]
}

function verbsOf({ isReview }: ResourceType): readonly string[] {
  return isReview ? ['create'] : VERBS
}

interface SubresourceRow {
  readonly group?: string
  readonly version?: string
  readonly kind: string
  readonly verbs: readonly string[]
}

function subresourceOf({ kind }: ResourceType, name: string): SubresourceRow {
  switch (name) {
    case 'scale':
      return { group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] }
    case 'eviction':
      return { group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] }
    case 'binding':
      return { kind: 'Binding', verbs: ['create'] }
    case 'finalize':
      return { kind, verbs: ['update'] }
    default:
      return { kind, verbs: ['get', 'patch', 'update'] }
  }
}

function aggregated(registry: Registry, isCore: boolean) {
  const items = (isCore ? [''] : groupNames(registry)).map((group) => ({
    metadata: group === '' ? {} : { name: group },
    versions: versionsOf(registry, group).map((version) => ({
      version,
      resources: typesIn(registry, group, version).map(aggregatedResource),
      freshness: 'Current',
    })),
  }))
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items }
}

function aggregatedResource(type: ResourceType) {
  const { plural, group, version, kind, namespaced, singular, shortNames, categories, subresources } = type
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: verbsOf(type),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((name) => {
        const below = subresourceOf(type, name)
        return {
          subresource: name,
          responseKind: { group: below.group ?? group, version: below.version ?? version, kind: below.kind },
          verbs: below.verbs,
        }
      }),
    }),
  }
}
