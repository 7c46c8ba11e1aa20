import { redact, type Clock } from '@slurm-operator/kube'
import { describeError } from './describe-error.ts'
import { defaultLogSettings, encodeLine, type LogSettings } from './encode-line.ts'
import { isWithin, type Level } from './level.ts'
import { printableFields, type PrintableFields } from './printable.ts'
import { SecretValues } from './secret-values.ts'

/** What a line tells apart from its message. `error` is written with all its causes. */
export type Fields = Readonly<Record<string, unknown>>

/** Who writes lines. It never throws. */
export interface Logger {
  readonly error: (message: string, fields?: Fields) => void
  readonly warn: (message: string, fields?: Fields) => void
  readonly info: (message: string, fields?: Fields) => void
  readonly debug: (message: string, fields?: Fields) => void
  readonly trace: (message: string, fields?: Fields) => void
  /** A logger whose lines all have these fields. */
  readonly with: (fields: Fields) => Logger
  /** A logger for a part of the program: `a` in `b` is `b.a`. */
  readonly named: (name: string) => Logger
  /** Whether a line of this level would be written: for lines that are dear to make. */
  readonly isEnabled: (level: Level) => boolean
}

/** What a logger is made of. */
export interface LoggerOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly settings?: LogSettings
  readonly secrets?: SecretValues
  /** Where lines go; each has its end. Default: standard error, as all Kubernetes programs do. */
  readonly write?: (line: string) => void
}

/** Make the logger of a program; all others come from it. */
export function createLogger({
  clock,
  settings = defaultLogSettings,
  secrets = new SecretValues(),
  write = (line) => process.stderr.write(line),
}: LoggerOptions): Logger {
  const hide = (text: string) => redact(secrets.hide(text))
  const emit = (level: Level, message: string, { logger, fields }: Origin) => {
    const line = { level, atMs: clock.now(), logger, message: hide(message), ...fieldsOf(fields, hide) }
    write(`${encodeLine(line, settings)}\n`)
  }
  return childOf({ logger: '', fields: {} }, { emit, limit: settings.level })
}

/** A logger that writes nothing, for those who are given none. */
export const silentLogger: Logger = childOf({ logger: '', fields: {} }, { emit: () => {}, limit: 'panic' })

interface Origin {
  readonly logger: string
  readonly fields: Fields
}

interface Root {
  readonly emit: (level: Level, message: string, origin: Origin) => void
  readonly limit: Level
}

function childOf(origin: Origin, root: Root): Logger {
  const at = (level: Level) => {
    if (!isWithin(level, root.limit)) return () => {}
    return (message: string, fields: Fields = {}) =>
      root.emit(level, message, { ...origin, fields: { ...origin.fields, ...fields } })
  }
  return {
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    trace: at('trace'),
    with: (fields) => childOf({ ...origin, fields: { ...origin.fields, ...fields } }, root),
    named: (name) => childOf({ ...origin, logger: origin.logger === '' ? name : `${origin.logger}.${name}` }, root),
    isEnabled: (level) => isWithin(level, root.limit),
  }
}

/** `error` becomes several fields; its stack is apart because the settings decide about it. */
function fieldsOf(
  { error, ...rest }: Fields,
  hide: (text: string) => string,
): { readonly fields: PrintableFields; readonly stack?: string } {
  const { stack, ...described } = error === undefined ? {} : describeError(error)
  const fields = printableFields({ ...rest, ...described }, hide)
  return { fields, ...(stack !== undefined && { stack: hide(stack) }) }
}
