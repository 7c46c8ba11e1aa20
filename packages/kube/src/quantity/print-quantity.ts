import { parseQuantity } from './parse-quantity.ts'
import { NANOS_PER_ONE, type Quantity, type QuantityFormat } from './quantity.ts'
import { binarySuffix, decimalSuffix, LARGEST_BINARY_STEP, LARGEST_DECIMAL_EXPONENT } from './suffixes.ts'

const SMALLEST_BINARY_NANOS = 1024n * NANOS_PER_ONE

/**
 * The canonical form: no fraction, the largest suffix that fits, as the API server prints it. Only beyond 1000E and
 * 1024Ei we differ: there the server drops the suffix, and with it the value.
 */
export function printQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0'
  const size = nanos < 0n ? -nanos : nanos
  const whole = size % NANOS_PER_ONE === 0n
  // A binary suffix is kept only where it is exact and says something.
  if (format === 'BinarySI' && whole && size >= SMALLEST_BINARY_NANOS) return printBinary(nanos / NANOS_PER_ONE)
  return printDecimal(nanos, format === 'BinarySI' ? 'DecimalSI' : format)
}

/** The canonical form of a text: `1000m` is `1`, `1.5Gi` is `1536Mi`. */
export function canonicalQuantity(text: string | number): string {
  return printQuantity(parseQuantity(text))
}

function printBinary(value: bigint): string {
  const { rest, steps } = divideOut(value, 1024n, LARGEST_BINARY_STEP)
  return `${rest}${binarySuffix(steps)}`
}

function printDecimal(nanos: bigint, format: QuantityFormat): string {
  const mostSteps = format === 'DecimalSI' ? (LARGEST_DECIMAL_EXPONENT + 9) / 3 : Infinity
  const { rest, steps } = divideOut(nanos, 1000n, mostSteps)
  return `${rest}${decimalSuffix(steps * 3 - 9, format)}`
}

function divideOut(value: bigint, divisor: bigint, mostSteps: number): { rest: bigint; steps: number } {
  let rest = value
  let steps = 0
  while (steps < mostSteps && rest % divisor === 0n) {
    rest /= divisor
    steps++
  }
  return { rest, steps }
}
