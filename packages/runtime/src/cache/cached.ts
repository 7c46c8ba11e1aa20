import type { LiveMeta, ObjectMeta } from '@slurm-operator/kube'

/** The metadata that every cached object keeps, however much of it is trimmed. */
export type CachedMeta = LiveMeta & Pick<ObjectMeta, 'namespace' | 'deletionTimestamp'>

/** What a cache can hold: anything with a name and a version. */
export interface Cached {
  readonly metadata: CachedMeta
}

/** Something happened to a cached object. `isInitial`: it was there when we first looked. */
export type CacheChange<T> =
  | { readonly kind: 'added'; readonly object: T; readonly isInitial: boolean }
  | { readonly kind: 'updated'; readonly object: T; readonly old: T }
  /** `object` is its last known state. */
  | { readonly kind: 'deleted'; readonly object: T }
