import { keyOf, type ObjectKey } from '@slurm-operator/kube'
import type { CacheReader } from '@slurm-operator/runtime'

interface Named {
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

/** For a source: the objects of a cache that refer to the changed one, through an index and never by listing. */
export function keysBy(cache: CacheReader<Named>, index: string): (changed: Named) => readonly ObjectKey[] {
  return ({ metadata: { namespace = '', name } }) => cache.by(index, `${namespace}/${name}`).map(keyOf)
}
