import { NANOS_PER_ONE, type Quantity } from './quantity.ts'

const MILLI = NANOS_PER_ONE / 1000n
const MEBI = NANOS_PER_ONE * 1024n * 1024n

/** How many whole units hold the amount: rounded up, away from zero, as the API server counts. */
export function wholeUnits(quantity: Quantity, unit: Quantity = { nanos: NANOS_PER_ONE, format: 'DecimalSI' }): bigint {
  if (unit.nanos <= 0n) throw new RangeError('Cannot count a quantity in units of nothing. Give a unit above zero.')
  return roundAwayFromZero(quantity.nanos, unit.nanos)
}

/** CPUs in thousandths, rounded up. */
export function milliCpus(quantity: Quantity): number {
  return safeNumber(roundAwayFromZero(quantity.nanos, MILLI), 'thousandths of a CPU')
}

/** Memory in MiB, rounded up. */
export function mebibytes(quantity: Quantity): number {
  return safeNumber(roundAwayFromZero(quantity.nanos, MEBI), 'MiB')
}

function roundAwayFromZero(nanos: bigint, unit: bigint): bigint {
  return nanos < 0n ? -roundAwayFromZero(-nanos, unit) : (nanos + unit - 1n) / unit
}

function safeNumber(count: bigint, unit: string): number {
  if (BigInt(Number(count)) === count && Number.isSafeInteger(Number(count))) return Number(count)
  throw new RangeError(
    `Cannot count ${count} ${unit} exactly: the number is too large. Check how the quantity was written.`,
  )
}
