import { NANOS_PER_ONE, QuantityError, type Quantity } from './quantity.ts'
import { findMultiplier, type Multiplier } from './suffixes.ts'

const FORM = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([^0-9.+-].*)?$/s
const LARGEST_BINARY_NANOS = (2n ** 63n - 1n) * NANOS_PER_ONE
const NANO_DIGITS = 9
// Far beyond any resource; it keeps a short hostile text from becoming a number of gigabytes.
const MOST_DIGITS = 1_000

/**
 * Read an amount in any form the API accepts, except a suffix without number, which the server takes for zero and
 * nobody means. Throws a `QuantityError` for everything else.
 */
export function parseQuantity(text: string | number): Quantity {
  const { negative, digits, decimals, multiplier } = readForm(text)
  const size = roundUpToNanos(BigInt(digits + decimals), decimals.length, multiplier)
  const capped = multiplier.format === 'BinarySI' && size > LARGEST_BINARY_NANOS ? LARGEST_BINARY_NANOS : size
  // Less than one byte cannot be said with a binary suffix.
  const format =
    multiplier.format === 'BinarySI' && capped < NANOS_PER_ONE && capped > 0n ? 'DecimalSI' : multiplier.format
  return { nanos: negative ? -capped : capped, format }
}

/** Why a text is no amount; undefined if it is one. */
export function whyInvalidQuantity(text: string | number): string | undefined {
  try {
    parseQuantity(text)
    return undefined
  } catch (error) {
    if (error instanceof QuantityError) return error.message
    throw error
  }
}

interface Form {
  readonly negative: boolean
  readonly digits: string
  readonly decimals: string
  readonly multiplier: Multiplier
}

function readForm(text: string | number): Form {
  const trimmed = String(text).trim()
  if (trimmed === '') throw new QuantityError(text, 'it is empty')
  const [whole, sign, digits = '', decimals = '', suffix = ''] = FORM.exec(trimmed) ?? []
  if (whole === undefined || digits + decimals === '') throw new QuantityError(text, 'it has no number in front')
  const multiplier = findMultiplier(suffix)
  if (!multiplier) throw new QuantityError(text, `${JSON.stringify(suffix)} is not a suffix that Kubernetes knows`)
  if (digits.length + decimals.length + Math.max(0, multiplier.exponent) > MOST_DIGITS) {
    throw new QuantityError(text, `it has more than ${MOST_DIGITS} digits`)
  }
  return { negative: sign === '-', digits, decimals, multiplier }
}

/** Who asks for something gets something: whatever is left below a nano counts as a whole one. */
function roundUpToNanos(unscaled: bigint, decimals: number, { base, exponent }: Multiplier): bigint {
  const tens = NANO_DIGITS - decimals + (base === 10 ? exponent : 0)
  const scaled = base === 2 ? unscaled << BigInt(exponent) : unscaled
  if (tens >= 0) return scaled * 10n ** BigInt(tens)
  if (-tens > scaled.toString().length) return scaled === 0n ? 0n : 1n
  const divisor = 10n ** BigInt(-tens)
  return (scaled + divisor - 1n) / divisor
}
