/** From quiet to talkative. `panic` is only a limit: it hides even errors. */
const levels = ['panic', 'error', 'warn', 'info', 'debug', 'trace'] as const

/** How important a line is. */
export type Level = (typeof levels)[number]

/** Whether a line of this level is written under this limit. */
export function isWithin(level: Level, limit: Level): boolean {
  return levels.indexOf(level) <= levels.indexOf(limit)
}

/** Read a level as `--zap-log-level` takes it: a name, or a whole number above 0 where 1 is debug and more is more. */
export function parseLevel(text: string): Level | undefined {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text) === 1 ? 'debug' : 'trace'
  return levels.find((level) => level === text.toLowerCase())
}
