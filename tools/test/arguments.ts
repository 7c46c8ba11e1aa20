/**
 * What the person asked for: `node tools/test.ts [level ...] -- [words and vitest options]`.
 *
 * @module
 */
import { type LevelName, levels } from '../levels.ts'

/** A wish for tests, understood but not yet carried out. */
export interface Wish {
  /** The checks of `npm run check` are part of everything, not of a single level. */
  readonly withChecks: boolean
  readonly levels: readonly LevelName[]
  /** Bare words: parts of file names or of test names. */
  readonly words: readonly string[]
  /** Options with their value attached, such as `--bail=1`: a value apart would look like a bare word. */
  readonly vitestOptions: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

const environmentOptions: Readonly<Record<string, string>> = { '--seeds': 'SIM_SEEDS', '--from': 'SIM_FROM' }

/** Understand the arguments or throw with a hint. */
export function parseArguments(parameters: readonly string[]): Wish {
  const border = parameters.indexOf('--')
  const named = border < 0 ? parameters : parameters.slice(0, border)
  const rest = border < 0 ? [] : parameters.slice(border + 1)
  const all = levels.map(({ name }) => name)
  const wanted = all.filter((name) => named.includes(name)) // always from fast to slow
  const stranger = named.find((name) => !all.some((level) => level === name))
  if (stranger !== undefined) throw new Error(whyUnknown(stranger, all))
  return { withChecks: named.length === 0, levels: named.length === 0 ? all : wanted, ...parseRest(rest) }
}

function parseRest(rest: readonly string[]): Pick<Wish, 'words' | 'vitestOptions' | 'environment'> {
  const words: string[] = []
  const vitestOptions: string[] = []
  const environment: Record<string, string> = {}
  const queue = [...rest]
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
    const [name = '', value] = one.split('=', 2)
    const variable = environmentOptions[name]
    if (variable !== undefined) environment[variable] = wholeNumber(name, value ?? queue.shift())
    else (one.startsWith('-') ? vitestOptions : words).push(one)
  }
  return { words, vitestOptions, environment }
}

function wholeNumber(option: string, value: string | undefined): string {
  if (value !== undefined && /^\d+$/.test(value)) return value
  throw new Error(
    `Cannot use ${option} ${value ?? 'without a value'}: it takes a whole number, such as ${option} 1000.`,
  )
}

function whyUnknown(stranger: string, all: readonly string[]): string {
  return `Cannot test "${stranger}": it is not a level. Say one of: ${all.join(', ')}; words to filter by come after "--".`
}
