import type { ObjectKey, OwnerReference } from '@slurm-operator/kube'
import type { CacheChange, Cached } from '../cache/cached.ts'
import type { CacheListener } from '../cache/cache.ts'
import type { LoopSource, Wake } from '../loop/source.ts'

/** What of a cache a source needs. */
export interface SourceCache<T> {
  readonly name: string
  synced(): Promise<void>
  list(): readonly T[]
  listen(listener: CacheListener<T>): () => void
}

/** Which changes matter. By default all do. */
export interface SourceOptions<T> {
  readonly when?: (change: CacheChange<T>) => boolean
}

/** Wake the loop for each object of its own kind. */
export function forObjects<T extends Cached>(cache: SourceCache<T>, options?: SourceOptions<T>): LoopSource {
  return watches(cache, ({ metadata }) => [{ namespace: metadata.namespace, name: metadata.name }], options)
}

/** Wake the loop for the object that controls a changed one. */
export function ownedBy<T extends Cached & Owned>(
  cache: SourceCache<T>,
  owner: { readonly group: string; readonly kind: string },
  options?: SourceOptions<T>,
): LoopSource {
  return watches(cache, (object) => controllingOwner(object, owner), options)
}

/**
 * Wake the loop for whatever a changed object concerns. An object that changed concerns those it concerned before as
 * well: whoever lost a child must hear of it.
 */
export function watches<T extends Cached>(
  cache: SourceCache<T>,
  concerns: (object: T) => readonly ObjectKey[],
  { when = () => true }: SourceOptions<T> = {},
): LoopSource {
  return {
    name: cache.name,
    async start(wake, signal) {
      const stop = cache.listen((change) => {
        if (when(change)) tell(wake, change, concerns)
      })
      signal.addEventListener('abort', stop, { once: true })
      await cache.synced()
      for (const object of cache.list()) for (const key of concerns(object)) wake(key, { priority: 'low' })
    },
  }
}

/** Anything that says who owns it. */
export interface Owned {
  readonly metadata: { readonly ownerReferences?: readonly OwnerReference[] }
}

function tell<T>(wake: Wake, change: CacheChange<T>, concerns: (object: T) => readonly ObjectKey[]): void {
  const priority = change.kind === 'added' && change.isInitial ? 'low' : 'normal'
  const keys = [...concerns(change.object), ...(change.kind === 'updated' ? concerns(change.old) : [])]
  for (const key of keys) wake(key, { priority })
}

function controllingOwner({ metadata }: Cached & Owned, { group, kind }: { group: string; kind: string }): ObjectKey[] {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  if (owner === undefined || owner.kind !== kind || groupOf(owner.apiVersion) !== group) return []
  return [{ namespace: metadata.namespace, name: owner.name }]
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}
