/** Where a path leads. */
export type Address =
  | {
      readonly kind: 'objects'
      readonly group: string
      readonly version: string
      readonly plural: string
      readonly place: Place
    }
  | { readonly kind: 'discovery'; readonly parts: readonly string[] }
  | { readonly kind: 'other'; readonly path: string }

/** Which objects of a resource. */
interface Place {
  readonly namespace?: string
  readonly name?: string
  readonly subresource?: string
  /** The old form of a watch, `/api/v1/watch/…`. */
  readonly isWatchPath: boolean
}

/** Understand a path. Whether the resource exists is not known here. */
export function parseAddress(path: string): Address {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.includes('%') ? decodeURIComponent(part) : part))
  const [root] = parts
  if (root !== 'api' && root !== 'apis') return { kind: 'other', path }
  const groupParts = root === 'api' ? 2 : 3
  if (parts.length <= groupParts) return { kind: 'discovery', parts }
  const [group = '', version = ''] = root === 'api' ? ['', parts[1]] : [parts[1], parts[2]]
  return { kind: 'objects', group, version, ...parsePlace(parts.slice(groupParts)) }
}

function parsePlace(given: readonly string[]): { readonly plural: string; readonly place: Place } {
  const isWatchPath = given[0] === 'watch'
  const parts = isWatchPath ? given.slice(1) : given
  const isInNamespace =
    parts[0] === 'namespaces' && parts.length > 2 && !['status', 'finalize'].includes(parts[2] ?? '')
  const namespace = isInNamespace ? parts[1] : undefined
  const [plural = '', name, ...rest] = isInNamespace ? parts.slice(2) : parts
  return {
    plural,
    place: {
      isWatchPath,
      ...(namespace !== undefined && { namespace }),
      ...(name !== undefined && { name }),
      ...(rest.length > 0 && { subresource: rest.join('/') }),
    },
  }
}
