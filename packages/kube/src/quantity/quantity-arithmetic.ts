import type { Quantity } from './quantity.ts'

/** Negative, zero or positive, as `Array.sort` wants it. Amounts written differently can be equal. */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  if (a.nanos === b.nanos) return 0
  return a.nanos < b.nanos ? -1 : 1
}

/** The sum, in the format of the first; zero has none of its own. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos + b.nanos, format: commonFormat(a, b) }
}

/** The difference, in the format of the first; zero has none of its own. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos - b.nanos, format: commonFormat(a, b) }
}

/** So many times the amount, for so many pods or containers. */
export function multiplyQuantity(quantity: Quantity, times: number | bigint): Quantity {
  return { ...quantity, nanos: quantity.nanos * wholeNumber(times) }
}

function commonFormat(a: Quantity, b: Quantity): Quantity['format'] {
  return a.nanos === 0n ? b.format : a.format
}

function wholeNumber(times: number | bigint): bigint {
  if (typeof times === 'number' && !Number.isSafeInteger(times)) {
    throw new RangeError(`Cannot multiply a quantity by ${times}: it is not a whole number. Round it first.`)
  }
  return BigInt(times)
}
