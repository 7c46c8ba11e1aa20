/**
 * Slurm's optional numbers. On the wire they are `{set, infinite, number}`, in older fields plain numbers with
 * sentinels. JSON.parse rounds both 64-bit sentinels to 2^64, so "infinite" and "not set" cannot be told apart there;
 * a parser that keeps whole numbers as `bigint` saves the difference, and both are understood here.
 *
 * @module
 */

/** A number of Slurm's that may be without bound, or not told at all. */
export type Bounded = number | 'infinite' | undefined

/** How wide the integer was in Slurm; its two highest values mean infinite and not set. */
export type IntegerBits = 16 | 32 | 64

const NOT_SET_16 = 0xfffe
const INFINITE_16 = 0xffff
const NOT_SET_32 = 0xfffffffe
const INFINITE_32 = 0xffffffff
const INFINITE_64 = 2n ** 64n - 1n
/** Slurm uses the values right below infinite for "not set" and "not consumed"; no real number comes near them. */
const FIRST_SPECIAL_64 = 2n ** 64n - 1024n

/** Read `{set, infinite, number}` or a plain number. Undefined also stands for anything that is neither. */
export function readBounded(raw: unknown, bits: IntegerBits = 32): Bounded {
  if (isNumeric(raw)) return withoutSentinels(raw, bits)
  if (!isNoValueObject(raw)) return undefined
  if (raw.infinite === true) return 'infinite'
  if (raw.set !== true || !isNumeric(raw.number)) return undefined
  return withoutSentinels(raw.number, bits)
}

/** True for the shapes that `readBounded` understands. */
export function isBoundedShape(raw: unknown): boolean {
  return isNumeric(raw) || isNoValueObject(raw)
}

/** The number, unless it is one of the values that Slurm uses to say "infinite" or "not set". */
function withoutSentinels(value: number | bigint, bits: IntegerBits): Bounded {
  if (typeof value === 'bigint' && value === INFINITE_64) return 'infinite'
  if (value >= FIRST_SPECIAL_64) return undefined
  const number = Number(value)
  if (!Number.isFinite(number)) return undefined
  if (bits === 16 && number === INFINITE_16) return 'infinite'
  if (bits === 16 && number === NOT_SET_16) return undefined
  // A 32-bit sentinel also shows up in 64-bit fields: Slurm widens it without translating.
  if (number === INFINITE_32) return 'infinite'
  return number === NOT_SET_32 ? undefined : number
}

/** The number, or undefined where Slurm has none or no bound. */
export function finiteOf(value: Bounded): number | undefined {
  return value === 'infinite' ? undefined : value
}

/** How a number is written in a request. */
export function writeBounded(value: number | 'infinite'): { set: boolean; infinite: boolean; number: number } {
  if (value === 'infinite') return { set: true, infinite: true, number: 0 }
  return { set: true, infinite: false, number: value }
}

function isNoValueObject(raw: unknown): raw is { set?: unknown; infinite?: unknown; number?: unknown } {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && ('set' in raw || 'number' in raw)
}

function isNumeric(raw: unknown): raw is number | bigint {
  return typeof raw === 'number' || typeof raw === 'bigint'
}
