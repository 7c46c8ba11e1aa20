/**
 * Amounts of resources, as the API writes them: `500m`, `1.5Gi`, `1e3`. The API knows nothing smaller than a
 * billionth, so every amount is a whole number of nanos and all arithmetic is exact.
 *
 * @module
 */

/** The family of suffixes an amount is printed with; it is remembered from how the amount was written. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent'

/** One amount. Compare with `compareQuantities`, never by text: `1` and `1000m` are the same amount. */
export interface Quantity {
  readonly nanos: bigint
  readonly format: QuantityFormat
}

/** How many nanos are one. */
export const NANOS_PER_ONE = 1_000_000_000n

/** Nothing; it takes the format of whatever is added to it. */
export const ZERO_QUANTITY: Quantity = { nanos: 0n, format: 'DecimalSI' }

/** A text or number that is no amount. The message says what was expected. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError'

  constructor(text: unknown, why: string) {
    super(
      `Cannot read ${JSON.stringify(text)} as a quantity: ${why}. Write a number with an optional suffix, as in 500m.`,
    )
  }
}
