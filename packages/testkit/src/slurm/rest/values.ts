/**
 * Numbers as slurmrestd writes them: with a word about whether they are set, and times in seconds.
 *
 * @module
 */

/** A number that may be missing or without bound. */
export interface WireNumber {
  readonly set: boolean
  readonly infinite: boolean
  readonly number: number
}

/** Nothing is set. */
export const unset: WireNumber = { set: false, infinite: false, number: 0 }

/** Without bound. */
export const infinite: WireNumber = { set: false, infinite: true, number: 0 }

/** This number. */
export function wireNumber(number: number): WireNumber {
  return { set: true, infinite: false, number }
}

/** A moment, shifted by the skew of Slurm's machine; 0 when it never came. */
export function wireTime(atMs: number | undefined, skewMs = 0): WireNumber {
  return wireNumber(atMs === undefined ? 0 : Math.floor((atMs + skewMs) / 1000))
}

/** The same value under each of these names. */
export function fields<T>(value: T, names: string): Record<string, T> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, value]))
}

/** A number in a request: bare, or with its word. Undefined if it is not set. */
export function readWireNumber(value: unknown): number | 'infinite' | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'object' || value === null) return undefined
  const { set, infinite: isInfinite, number } = value as Partial<WireNumber>
  if (isInfinite === true) return 'infinite'
  return set !== false && typeof number === 'number' ? number : undefined
}
