import type { QuantityFormat } from './quantity.ts'

/** What a suffix does to the number in front of it: times `base` to the power of `exponent`. */
export interface Multiplier {
  readonly base: 2 | 10
  readonly exponent: number
  readonly format: QuantityFormat
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const BITS_PER_BINARY_STEP = 10
const DIGITS_PER_DECIMAL_STEP = 3
const SMALLEST_DECIMAL_EXPONENT = -9

/** The highest powers that have a suffix of their own; larger amounts are printed as a larger number. */
export const LARGEST_BINARY_STEP = BINARY.length - 1
export const LARGEST_DECIMAL_EXPONENT = 18

const known: ReadonlyMap<string, Multiplier> = new Map([
  ...BINARY.map((suffix, step): [string, Multiplier] => [
    suffix,
    { base: 2, exponent: step * BITS_PER_BINARY_STEP, format: 'BinarySI' },
  ]),
  // After the binary ones: a number without suffix is decimal.
  ...DECIMAL.map((suffix, index): [string, Multiplier] => [
    suffix,
    { base: 10, exponent: SMALLEST_DECIMAL_EXPONENT + index * DIGITS_PER_DECIMAL_STEP, format: 'DecimalSI' },
  ]),
])

/** The meaning of a suffix, `e3` and `E-2` included; undefined if it has none. */
export function findMultiplier(suffix: string): Multiplier | undefined {
  const multiplier = known.get(suffix)
  if (multiplier) return multiplier
  const [, exponent] = /^[eE]([+-]?[0-9]+)$/.exec(suffix) ?? []
  return exponent === undefined ? undefined : { base: 10, exponent: Number(exponent), format: 'DecimalExponent' }
}

/** The suffix for 1024 to the power of `step`. */
export function binarySuffix(step: number): string {
  return BINARY[step] ?? ''
}

/** The suffix for ten to the power of `exponent`, a multiple of three, in one of the decimal formats. */
export function decimalSuffix(exponent: number, format: QuantityFormat): string {
  if (format === 'DecimalExponent') return exponent === 0 ? '' : `e${exponent}`
  return DECIMAL[(exponent - SMALLEST_DECIMAL_EXPONENT) / DIGITS_PER_DECIMAL_STEP] ?? ''
}
