/**
 * Times as the API writes them: RFC 3339 in UTC, whole seconds in metav1.Time, six decimals in MicroTime. In between
 * they are milliseconds since 1970, like everything in JavaScript; the fraction holds the microseconds, exactly until
 * the year 2109.
 *
 * @module
 */

const FORM =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(Z|[+-][0-9]{2}:[0-9]{2})$/
const MICRO_DIGITS = 6
const MINUTE_MS = 60_000
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z')
const END_MS = Date.parse('+010000-01-01T00:00:00Z')

/** A text that is no time, or a time that has no text. */
export class TimeError extends Error {
  override readonly name = 'TimeError'
}

/** The form of metav1.Time, such as `creationTimestamp`. What is below a second is cut off. */
export function printTime(atMs: number): string {
  return `${printUtc(Math.floor(atMs / 1000) * 1000)}Z`
}

/** The form of metav1.MicroTime, which Leases and Events want with all six decimals. */
export function printMicroTime(atMs: number): string {
  const micros = Math.round(atMs * 1000)
  const seconds = Math.floor(micros / 1_000_000)
  return `${printUtc(seconds * 1000)}.${String(micros - seconds * 1_000_000).padStart(MICRO_DIGITS, '0')}Z`
}

/** Read either form, with any offset. Decimals beyond microseconds are cut off. Throws a `TimeError`. */
export function parseTime(text: string): number {
  const [whole, year, month, day, hour, minute, second, fraction = '', offset = ''] = FORM.exec(text) ?? []
  if (whole === undefined) throw unreadable(text, 'it is not of the form 2006-01-02T15:04:05Z')
  const utc = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const atMs = Date.parse(`${utc}Z`)
  // Date.parse lets 30 February and 24:00 overflow into the next day.
  if (Number.isNaN(atMs) || !new Date(atMs).toISOString().startsWith(utc))
    throw unreadable(text, 'there is no such day or hour')
  return atMs + readFraction(fraction) - readOffsetMs(offset, text)
}

/** For fields that may be missing; what cannot be read is as good as missing. */
export function findTime(text: string | null | undefined): number | undefined {
  try {
    return text === null || text === undefined ? undefined : parseTime(text)
  } catch (error) {
    if (error instanceof TimeError) return undefined
    throw error
  }
}

function printUtc(atMs: number): string {
  if (!(atMs >= FIRST_MS && atMs < END_MS)) {
    throw new TimeError(`Cannot write ${atMs} ms since 1970 as a time: the year must have four digits.`)
  }
  return new Date(atMs).toISOString().slice(0, -'.000Z'.length)
}

function readFraction(decimals: string): number {
  return Number(decimals.slice(0, MICRO_DIGITS).padEnd(MICRO_DIGITS, '0')) / 1000
}

function readOffsetMs(offset: string, text: string): number {
  if (offset === 'Z') return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(4))
  if (hours > 23 || minutes > 59) throw unreadable(text, `${offset} is not an offset from UTC`)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS
}

function unreadable(text: string, why: string): TimeError {
  return new TimeError(`Cannot read ${JSON.stringify(text)} as a time: ${why}.`)
}
