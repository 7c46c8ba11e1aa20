import type { CacheChange, Cached } from './cached.ts'

/** The least that can be cached, with a value to tell states apart. */
export interface Thing extends Cached {
  readonly value?: string
}

/** A thing in one state. */
export function thing(
  name: string,
  version: number,
  more: { uid?: string; value?: string; namespace?: string } = {},
): Thing {
  const { uid = `uid-of-${name}`, namespace = 'a', value } = more
  const metadata = { name, namespace, uid, resourceVersion: String(version), creationTimestamp: '2026-01-01T00:00:00Z' }
  return { metadata, ...(value !== undefined && { value }) }
}

/** Changes in few words: `+one@3`, `~one@4`, `-one@4`. */
export function words(changes: readonly CacheChange<Thing>[]): string[] {
  const signs = { added: '+', updated: '~', deleted: '-' } as const
  return changes.map(({ kind, object }) => `${signs[kind]}${object.metadata.name}@${object.metadata.resourceVersion}`)
}

/** A complete list, as `Store.replace` takes it. */
export function listOf(...things: readonly Thing[]): Map<string, Thing> {
  return new Map(things.map((object) => [`${object.metadata.namespace}/${object.metadata.name}`, object]))
}
