/** The names of `--zap-time-encoding`. */
export const timeEncodings = ['epoch', 'millis', 'nano', 'iso8601', 'rfc3339', 'rfc3339nano'] as const

/** How the time of a line is written. */
export type TimeEncoding = (typeof timeEncodings)[number]

/** The time of a line. `rfc3339` has milliseconds: the standard allows them, and whole seconds do not sort lines. */
export function encodeTime(atMs: number, encoding: TimeEncoding): string | number {
  switch (encoding) {
    case 'epoch':
      return atMs / 1000
    case 'millis':
      return atMs
    case 'nano':
      return Math.round(atMs) * 1_000_000 // a double holds it to a quarter of a microsecond
    case 'iso8601':
      return new Date(atMs).toISOString().replace('Z', '+0000')
    case 'rfc3339':
    case 'rfc3339nano':
      return new Date(atMs).toISOString()
  }
}
