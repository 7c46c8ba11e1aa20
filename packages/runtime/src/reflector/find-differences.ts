import type { Cached } from '../cache/cached.ts'

/** Which state of an object somebody has: `uid@resourceVersion`, or none. */
export type StateMark = string | undefined

/** An object about which cache and server disagree. */
export interface Difference {
  readonly key: string
  readonly cached: StateMark
  readonly stored: StateMark
}

/** The mark of an object. */
export function markOf(object: Cached | undefined): StateMark {
  return object === undefined ? undefined : `${object.metadata.uid}@${object.metadata.resourceVersion}`
}

/** Everything that is not the same on both sides. Some of it only has not arrived yet. */
export function findDifferences(
  cached: ReadonlyMap<string, StateMark>,
  stored: ReadonlyMap<string, StateMark>,
): Difference[] {
  const keys = new Set([...cached.keys(), ...stored.keys()])
  return [...keys]
    .map((key) => ({ key, cached: cached.get(key), stored: stored.get(key) }))
    .filter((difference) => difference.cached !== difference.stored)
}

/**
 * Of a difference that was seen a while ago: did the watch miss something, or was it merely on its way? Missed is only
 * what the server still has in the same state and the cache still has not.
 */
export function isMissed(earlier: Difference, now: Omit<Difference, 'key'>): boolean {
  return now.stored === earlier.stored && now.cached !== now.stored
}
