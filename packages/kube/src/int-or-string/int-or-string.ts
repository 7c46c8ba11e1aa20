/**
 * Fields that hold a number or a percentage: `maxUnavailable: 3`, `maxUnavailable: 25%`.
 *
 * @module
 */

/** As it stands in the API object. */
export type IntOrString = number | string

/** Which way a share of whole things is rounded. */
export type Rounding = 'up' | 'down'

/** A value that is neither a 32-bit number nor a percentage. */
export class IntOrStringError extends Error {
  override readonly name = 'IntOrStringError'

  constructor(value: unknown, why: string) {
    super(`Cannot read ${JSON.stringify(value)} as a number or a percentage: ${why}. Write 3 or "25%".`)
  }
}

const PERCENT = /^([0-9]+)%$/
const INT32_END = 2 ** 31

/** Why a value is neither a whole number nor a percentage; undefined if it is one of them. */
export function whyInvalidIntOrPercent(value: IntOrString): string | undefined {
  if (typeof value === 'number') return whyInvalidInt32(value)
  if (PERCENT.test(value)) return undefined
  return 'a text must be digits followed by a percent sign'
}

/** The number meant, given how many 100% are. Throws an `IntOrStringError` for anything else. */
export function resolveIntOrPercent(value: IntOrString, total: number, rounding: Rounding): number {
  const why = whyInvalidIntOrPercent(value) ?? whyInvalidInt32(total)
  if (why !== undefined) throw new IntOrStringError(value, why)
  if (typeof value === 'number') return value
  const share = BigInt(value.slice(0, -1)) * BigInt(total)
  const resolved = Number(rounding === 'up' ? ceilDivide(share, 100n) : -ceilDivide(-share, 100n))
  if (!Number.isSafeInteger(resolved)) throw new IntOrStringError(value, `it is too large a share of ${total}`)
  return resolved
}

/** A flag or annotation as the API would hold it: a number if it looks like one, else the text. */
export function parseIntOrString(text: string): IntOrString {
  const isInt32 = /^[+-]?[0-9]+$/.test(text) && whyInvalidInt32(Number(text)) === undefined
  return isInt32 ? Number(text) : text
}

function whyInvalidInt32(value: number): string | undefined {
  if (!Number.isInteger(value)) return `${value} is not a whole number`
  if (value < -INT32_END || value >= INT32_END) return `${value} does not fit 32 bits`
  return undefined
}

/** Divide towards positive infinity; BigInt division itself goes towards zero. */
function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return dividend / divisor + (dividend % divisor > 0n ? 1n : 0n)
}
