import { labelKeys } from '@slurm-operator/api'
import type { ObjectKey } from '@slurm-operator/kube'
import type { CacheReader } from '@slurm-operator/runtime'
import type { Named } from './keys-by.ts'

/** For a source: the object whose daemon a pod runs, by the pod's labels: its workload stands between the two. */
export function podOwners(cache: CacheReader<Named>, app: string): (pod: Named) => readonly ObjectKey[] {
  return ({ metadata: { namespace, labels = {} } }) => {
    const name = labels[labelKeys.instance]
    if (labels[labelKeys.app] !== app || name === undefined) return []
    const key = { namespace, name }
    return cache.get(key) === undefined ? [] : [key]
  }
}
