import { choiceFlag, flag, switchFlag, type FlagValues } from '../flags/flag.ts'
import { defaultLogSettings, encoders, type LogSettings } from './encode-line.ts'
import { parseLevel, type Level } from './level.ts'
import { timeEncodings } from './time-encoding.ts'

const DEVELOPMENT: Pick<LogSettings, 'encoder' | 'level' | 'stacktraceLevel'> = {
  encoder: 'console',
  level: 'debug',
  stacktraceLevel: 'warn',
}

/** The flags about logging, by the names that people have in their manifests. */
export const zapFlags = {
  'zap-devel': switchFlag({
    help: 'Log for people who develop: console, debug, stack traces of warnings; the other flags still count',
  }),
  'zap-encoder': choiceFlag({ default: 'json', choices: encoders, help: 'How lines look (console with -zap-devel)' }),
  'zap-log-level': levelFlag(
    'info',
    'What is logged: debug, info, error, panic, or a whole number above 0, where more is more',
  ),
  'zap-stacktrace-level': levelFlag('error', 'From which level on lines tell where an error came from'),
  'zap-time-encoding': choiceFlag({
    default: 'rfc3339',
    choices: timeEncodings,
    help: 'How the time of a line is written',
  }),
}

function levelFlag(value: Level, help: string) {
  return flag<Level>({
    help,
    default: value,
    valueName: 'level',
    defaultText: value,
    parse(text) {
      const level = parseLevel(text)
      if (level === undefined) throw new Error('it must be debug, info, warn, error, panic or a whole number above 0')
      return level
    },
  })
}

/** The settings that the flags ask for. */
export function logSettingsFrom(values: FlagValues<typeof zapFlags>, given: ReadonlySet<string>): LogSettings {
  const base = values['zap-devel'] ? { ...defaultLogSettings, ...DEVELOPMENT } : defaultLogSettings
  return {
    ...base,
    ...(given.has('zap-encoder') && { encoder: values['zap-encoder'] }),
    ...(given.has('zap-log-level') && { level: values['zap-log-level'] }),
    ...(given.has('zap-stacktrace-level') && { stacktraceLevel: values['zap-stacktrace-level'] }),
    ...(given.has('zap-time-encoding') && { timeEncoding: values['zap-time-encoding'] }),
  }
}
