/**
 * Which changes are worth a pass.
 *
 * @module
 */
import { equalJson } from '@slurm-operator/kube'
import type { CacheChange } from '@slurm-operator/runtime'
import type { KeptMeta } from './trim.ts'

interface Versioned {
  readonly metadata: Omit<KeptMeta, 'managedFields'>
}

/** The spec, labels, annotations or the deletion mark are different: a status that we wrote ourselves is no news. */
export function specChanged(change: CacheChange<Versioned>): boolean {
  if (change.kind !== 'updated') return true
  const [before, after] = [change.old.metadata, change.object.metadata]
  return (
    before.generation !== after.generation ||
    before.uid !== after.uid ||
    before.deletionTimestamp !== after.deletionTimestamp ||
    !sameEntries(before.labels, after.labels) ||
    !sameEntries(before.annotations, after.annotations)
  )
}

function sameEntries(
  one: Readonly<Record<string, string>> = {},
  other: Readonly<Record<string, string>> = {},
): boolean {
  return equalJson(one, other)
}
