/**
 * Durations as Go programs read and write them: `1h30m`, `1.5h`, `100ms`, `-2µs`. They are nanoseconds of 64 bits.
 *
 * @module
 */

/** A text that is no duration, or one of more than 292 years. */
export class DurationError extends Error {
  override readonly name = 'DurationError'

  constructor(text: string, why: string) {
    super(`Cannot read ${JSON.stringify(text)} as a duration: ${why}. Write it like 1h30m, 1.5h or 100ms.`)
  }
}

const MICRO = 1_000n
const MILLI = 1_000_000n
const SECOND = 1_000_000_000n
const MINUTE = 60n * SECOND
const HOUR = 60n * MINUTE
const END = 2n ** 63n

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', MICRO],
  ['\u00B5s', MICRO], // the micro sign
  ['\u03BCs', MICRO], // the Greek letter
  ['ms', MILLI],
  ['s', SECOND],
  ['m', MINUTE],
  ['h', HOUR],
])

/** Nanoseconds of a duration. Throws a `DurationError` for everything Go refuses. */
export function parseDuration(text: string): bigint {
  const sign = /^[+-]/.exec(text)?.[0] ?? ''
  const rest = text.slice(sign.length)
  if (rest === '0') return 0n
  if (rest === '') throw new DurationError(text, 'it is empty')
  let total = 0n
  for (const part of splitParts(text, rest)) {
    total += readPart(text, part)
    if (total > END) throw tooLong(text)
  }
  if (sign === '-') return -total
  if (total === END) throw tooLong(text)
  return total
}

/** The form Go prints: `1h30m0s`, `1.5s`, `100ms`, `0s`. */
export function printDuration(nanoseconds: bigint): string {
  if (BigInt.asIntN(64, nanoseconds) !== nanoseconds) {
    throw new RangeError(`Cannot print ${nanoseconds} ns as a duration: it is longer than 292 years.`)
  }
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  return (nanoseconds < 0n ? '-' : '') + (size < SECOND ? printShort(size) : printLong(size))
}

/** Milliseconds for timers, rounded up so that nothing happens too early. */
export function durationInMs(nanoseconds: bigint): number {
  return Number(nanoseconds / MILLI + (nanoseconds % MILLI > 0n ? 1n : 0n))
}

interface Part {
  readonly digits: string
  readonly decimals: string
  readonly unit: bigint
}

function splitParts(text: string, rest: string): Part[] {
  const parts = [...rest.matchAll(/([0-9]*)(\.[0-9]*)?([^0-9.]*)/gy)].filter(([whole]) => whole !== '')
  return parts.map(([, digits = '', fraction = '', name = '']) => {
    const decimals = fraction.slice(1)
    if (digits + decimals === '') throw new DurationError(text, 'a number is missing')
    if (name === '') throw new DurationError(text, 'a unit is missing')
    const unit = units.get(name)
    if (unit === undefined)
      throw new DurationError(text, `${JSON.stringify(name)} is not one of ns, us, µs, ms, s, m and h`)
    return { digits, decimals, unit }
  })
}

function readPart(text: string, { digits, decimals, unit }: Part): bigint {
  const whole = BigInt(digits) * unit
  if (whole > END) throw tooLong(text)
  return whole + readFraction(decimals, unit)
}

/** Go multiplies fractions in floating point and cuts off; so do we, or the last nanosecond would differ. */
function readFraction(decimals: string, unit: bigint): bigint {
  let kept = decimals
  while (BigInt(kept) > END - 1n) kept = kept.slice(0, -1)
  const number = Number(BigInt(kept))
  return number === 0 ? 0n : BigInt(Math.trunc(number * (Number(unit) / 10 ** kept.length)))
}

function printShort(size: bigint): string {
  if (size === 0n) return '0s'
  if (size < MICRO) return `${size}ns`
  return size < MILLI ? `${printDecimal(size, MICRO)}µs` : `${printDecimal(size, MILLI)}ms`
}

function printLong(size: bigint): string {
  const hours = size / HOUR
  const minutes = (size % HOUR) / MINUTE
  const seconds = `${printDecimal(size % MINUTE, SECOND)}s`
  if (hours > 0n) return `${hours}h${minutes}m${seconds}`
  return minutes > 0n ? `${minutes}m${seconds}` : seconds
}

function printDecimal(size: bigint, unit: bigint): string {
  const decimals = (size % unit)
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '')
  return decimals === '' ? `${size / unit}` : `${size / unit}.${decimals}`
}

function tooLong(text: string): DurationError {
  return new DurationError(text, 'it is longer than 292 years')
}
