/**
 * What was found when an object was looked for. Unknown is a value: whoever could not look says so, and why.
 *
 * @module
 */
import type { Clock } from '@slurm-operator/kube'
import { withDeadline } from '@slurm-operator/runtime'

/** One look at one object. */
export type Reading<T> =
  | { readonly kind: 'seen'; readonly value: T }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly because: string }

/** A limit for all reads of one review together, well below the time-out of the API server. */
export const READ_WITHIN_MS = 3000

/** Look, but not for ever. */
export async function look<T>(
  clock: Clock,
  what: string,
  read: (signal: AbortSignal) => Promise<T | undefined>,
): Promise<Reading<T>> {
  try {
    const value = await withDeadline(`read ${what}`, { clock, withinMs: READ_WITHIN_MS }, read)
    return value === undefined ? { kind: 'absent' } : { kind: 'seen', value }
  } catch (error) {
    return { kind: 'unknown', because: error instanceof Error ? error.message : String(error) }
  }
}
