import type { JsonValue } from '@slurm-operator/kube'

/** How a field is not as we want it. */
export type DifferenceWhy =
  | 'missing' // it is not there
  | 'changed' // it has another value
  | 'left-over' // we set it before and no longer want it
  | 'not-ours' // it has the right value, but we would not notice if somebody took it away
  | 'order' // the elements are there in another order

/** One field that we set and that is not as we want it. */
export interface Difference {
  /** Such as `spec.template.spec.containers[name=main].image`. */
  readonly path: string
  readonly why: DifferenceWhy
  readonly wanted?: JsonValue | undefined
  readonly live?: JsonValue | undefined
}

const words: Readonly<Record<DifferenceWhy, string>> = {
  missing: 'is missing',
  changed: 'has another value',
  'left-over': 'is no longer wanted',
  'not-ours': 'is not held by us yet',
  order: 'is in another order',
}
const MOST_NAMED = 4

/** The differences in words, without values. */
export function describeDifferences(differences: readonly Difference[]): string {
  const named = differences
    .slice(0, MOST_NAMED)
    .map(({ path, why }) => `${path === '' ? 'all of it' : path} ${words[why]}`)
  const more = differences.length - named.length
  return more > 0 ? `${named.join(', ')}, and ${more} more` : named.join(', ')
}
