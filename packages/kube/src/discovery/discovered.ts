/** What a server offers. */
export interface DiscoveredGroup {
  /** '' for the core group. */
  readonly group: string
  /** The preferred one first. */
  readonly versions: readonly DiscoveredVersion[]
}

/** One version of a group. */
export interface DiscoveredVersion {
  readonly version: string
  readonly resources: readonly DiscoveredResource[]
  /** The server behind it did not answer: what is listed may be old, what is missing may exist. */
  readonly isStale: boolean
}

/** One resource; enough to describe it to a client. */
export interface DiscoveredResource {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly subresources: readonly DiscoveredSubresource[]
}

/** A part of its objects with a path of its own. */
export interface DiscoveredSubresource {
  readonly name: string
  readonly kind: string
  readonly verbs: readonly string[]
}

/** The resource of a kind in a group: of its preferred version, or of the one that is asked for. */
export function findKind(
  groups: readonly DiscoveredGroup[],
  wanted: { readonly group: string; readonly kind: string; readonly version?: string },
): DiscoveredResource | undefined {
  const versions = groups.find(({ group }) => group === wanted.group)?.versions ?? []
  return versions
    .filter(({ version }) => wanted.version === undefined || version === wanted.version)
    .flatMap(({ resources }) => resources)
    .find(({ kind }) => kind === wanted.kind)
}
