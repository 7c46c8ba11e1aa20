import { isWithin, type Level } from './level.ts'
import type { PrintableFields } from './printable.ts'
import { encodeTime, type TimeEncoding } from './time-encoding.ts'

/** The names of `--zap-encoder`. */
export const encoders = ['json', 'console'] as const

/** How lines look: for machines, or for people at a terminal. */
type Encoder = (typeof encoders)[number]

/** What decides about the look of lines and which there are. */
export interface LogSettings {
  readonly level: Level
  readonly encoder: Encoder
  readonly timeEncoding: TimeEncoding
  /** Lines of this importance and above show where an error came from. */
  readonly stacktraceLevel: Level
}

/** What is used if no flag says otherwise. */
export const defaultLogSettings: LogSettings = {
  level: 'info',
  encoder: 'json',
  timeEncoding: 'rfc3339',
  stacktraceLevel: 'error',
}

/** One line, ready but for its look. */
export interface Line {
  readonly level: Level
  readonly atMs: number
  readonly logger: string
  readonly message: string
  readonly fields: PrintableFields
  readonly stack?: string | undefined
}

/** The text of a line, without its end. */
export function encodeLine(line: Line, settings: LogSettings): string {
  const stack = isWithin(line.level, settings.stacktraceLevel) ? line.stack : undefined
  const ts = encodeTime(line.atMs, settings.timeEncoding)
  return settings.encoder === 'json' ? jsonLine(line, ts, stack) : consoleLine(line, ts, stack)
}

function jsonLine({ level, logger, message, fields }: Line, ts: string | number, stack: string | undefined): string {
  const head = { level, ts, ...(logger !== '' && { logger }), msg: message }
  return JSON.stringify({ ...head, ...withoutNames(fields, head), ...(stack !== undefined && { stacktrace: stack }) })
}

function consoleLine({ level, logger, message, fields }: Line, ts: string | number, stack: string | undefined): string {
  const rest = Object.keys(fields).length > 0 ? [JSON.stringify(fields)] : []
  const head = [String(ts), level.toUpperCase(), ...(logger === '' ? [] : [logger]), oneLine(message), ...rest]
  return head.join('\t') + (stack === undefined ? '' : `\n${stack}`)
}

/** A field that has the name of a part of the head would replace it: give it another one. */
function withoutNames(fields: PrintableFields, head: object): PrintableFields {
  if (!Object.keys(fields).some((name) => Object.hasOwn(head, name))) return fields
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name in head ? `${name}_` : name, value]))
}

/** A message must not look like several lines: somebody else may have written a part of it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\n\r]/g, (end) => (end === '\n' ? '\\n' : '\\r'))
}
