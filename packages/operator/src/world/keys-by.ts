import { keyOf, type ObjectKey, type OwnerReference } from '@slurm-operator/kube'
import type { CacheReader } from '@slurm-operator/runtime'

/** What sources look at. */
export interface Named {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly ownerReferences?: readonly OwnerReference[]
  }
}

/** For a source: the objects of a cache that refer to the changed one, through an index and never by listing. */
export function keysBy(
  cache: CacheReader<Named>,
  index: string,
): (changed: { readonly metadata: ObjectKey }) => readonly ObjectKey[] {
  return ({ metadata: { namespace = '', name } }) => cache.by(index, `${namespace}/${name}`).map(keyOf)
}
