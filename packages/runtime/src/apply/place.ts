import type { FieldNames, JsonValue } from '@slurm-operator/kube'
import type { Difference, DifferenceWhy } from './difference.ts'
import type { OwnedFields } from './owned-fields.ts'

/** One place in three documents: what we want, what is there, and what of it the server calls ours. */
export interface Place {
  readonly wanted: JsonValue | undefined
  readonly live: JsonValue | undefined
  readonly owned: OwnedFields | undefined
  /** For people. */
  readonly path: string
  readonly at: FieldNames
  /** Of the whole object, such as `apps/v1 StatefulSet`. */
  readonly type: string
}

/** Tell what is wrong in a place. */
export function difference(
  why: DifferenceWhy,
  { path, wanted, live }: Pick<Place, 'path' | 'wanted' | 'live'>,
): Difference {
  return { path, why, wanted, live }
}
