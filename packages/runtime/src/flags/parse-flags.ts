import type { Flag, Flags, FlagValues } from './flag.ts'

/** What a command line says. */
export type ParsedFlags<F extends Flags> =
  | {
      readonly kind: 'run'
      readonly values: FlagValues<F>
      readonly given: ReadonlySet<string>
      readonly rest: readonly string[]
    }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly because: string }

/**
 * Read a command line as Go programs do: `-x` and `--x` are the same, `--x=v` and `--x v` too, except for switches.
 * The first word that is no flag, and `--`, end the flags: everything behind it is `rest`. A flag that is given twice
 * counts the second time.
 */
export function parseFlags<F extends Flags>(flags: F, words: readonly string[]): ParsedFlags<F> {
  const values = new Map<string, unknown>()
  const left = [...words]
  try {
    for (let word = takeFlag(left); word !== undefined; word = takeFlag(left)) {
      const { name, text } = split(word)
      const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
      if (flag === undefined && (name === 'h' || name === 'help')) return { kind: 'help' }
      if (flag === undefined) throw new Error(`Cannot use --${name}: there is no such flag.`)
      const given = text ?? valueOf(name, flag, left)
      values.set(name, parseValue(name, given, flag, values.get(name)))
    }
  } catch (error) {
    return { kind: 'wrong', because: error instanceof Error ? error.message : String(error) }
  }
  return { kind: 'run', values: withDefaults(flags, values), given: new Set(values.keys()), rest: left }
}

/** Take the next flag from the words, if the next one is a flag. */
function takeFlag(left: string[]): string | undefined {
  const word = left[0] ?? ''
  if (!/^-./.test(word)) return undefined
  left.shift()
  return word === '--' ? undefined : word
}

function split(word: string): { readonly name: string; readonly text: string | undefined } {
  const [, name = '', text] = /^--?([^=]*)(?:=([\s\S]*))?$/.exec(word) ?? []
  if (name === '' || name.startsWith('-'))
    throw new Error(`Cannot read ${JSON.stringify(word)} as a flag: its name is missing.`)
  return { name, text }
}

/** A switch alone is on; every other flag takes the next word, whatever it looks like. */
function valueOf(name: string, { valueName }: Flag<unknown>, left: string[]): string {
  if (valueName === '') return 'true'
  const word = left.shift()
  if (word === undefined) throw new Error(`Cannot use --${name}: its value is missing.`)
  return word
}

function parseValue(name: string, text: string, flag: Flag<unknown>, before: unknown): unknown {
  try {
    return flag.parse(text, before)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`Cannot use --${name}=${text}: ${why}.`, { cause: error })
  }
}

function withDefaults<F extends Flags>(flags: F, values: ReadonlyMap<string, unknown>): FlagValues<F> {
  const pairs = Object.entries(flags).map(([name, { default: value }]) => [
    name,
    values.has(name) ? values.get(name) : value,
  ])
  return Object.fromEntries(pairs) as FlagValues<F>
}
