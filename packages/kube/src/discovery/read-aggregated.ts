import type { DiscoveredGroup, DiscoveredResource, DiscoveredVersion } from './discovered.ts'

/** The `APIGroupDiscoveryList` that newer servers answer with; v2 and v2beta1 look the same. */
export interface GroupDiscoveryList {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string }
    readonly versions?: readonly VersionDiscovery[]
  }[]
}

interface VersionDiscovery {
  readonly version?: string
  readonly freshness?: string
  readonly resources?: readonly ResourceDiscovery[]
}

interface ResourceDiscovery {
  readonly resource?: string
  readonly responseKind?: { readonly kind?: string }
  readonly scope?: string
  readonly singularResource?: string
  readonly verbs?: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly subresources?: readonly {
    readonly subresource?: string
    readonly responseKind?: { readonly kind?: string }
    readonly verbs?: readonly string[]
  }[]
}

/** Everything in one answer. */
export function readAggregated({ items = [] }: GroupDiscoveryList): DiscoveredGroup[] {
  return items.map(({ metadata, versions = [] }) => {
    const group = metadata?.name ?? ''
    return { group, versions: versions.map((version) => readVersion(group, version)) }
  })
}

function readVersion(group: string, { version = '', freshness, resources = [] }: VersionDiscovery): DiscoveredVersion {
  return {
    version,
    isStale: freshness === 'Stale',
    resources: resources.map((resource) => readResource(group, version, resource)),
  }
}

function readResource(group: string, version: string, found: ResourceDiscovery): DiscoveredResource {
  const { resource = '', responseKind, scope, singularResource, subresources = [] } = found
  return {
    group,
    version,
    plural: resource,
    singular: singularResource ?? '',
    kind: responseKind?.kind ?? '',
    namespaced: scope === 'Namespaced',
    verbs: found.verbs ?? [],
    shortNames: found.shortNames ?? [],
    categories: found.categories ?? [],
    subresources: subresources.map((one) => ({
      name: one.subresource ?? '',
      kind: one.responseKind?.kind ?? '',
      verbs: one.verbs ?? [],
    })),
  }
}
