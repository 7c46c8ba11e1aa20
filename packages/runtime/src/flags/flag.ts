import { durationInMs, parseDuration, printDuration } from '@slurm-operator/kube'

/** A flag of a program: how its text becomes a value, and what people are told about it. */
export interface Flag<T> {
  readonly help: string
  readonly default: T
  /** The word for its value in the help, such as `string`; '' for a switch, which needs none. */
  readonly valueName: string
  /** The default as one would write it; '' if it says nothing. */
  readonly defaultText: string
  /** Throws an `Error` that says what is wrong with the text. `before`: what an earlier use of the same flag gave. */
  parse(text: string, before: T | undefined): T
}

/** All flags of a program by name. */
export type Flags = Readonly<Record<string, Flag<unknown>>>

/** The values of these flags. */
export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never }

/** What every flag needs. */
export interface FlagOptions<T> {
  readonly default: T
  readonly help: string
}

/** Any text. */
export function textFlag({ default: value, help }: FlagOptions<string>): Flag<string> {
  return {
    help,
    default: value,
    valueName: 'string',
    defaultText: value === '' ? '' : JSON.stringify(value),
    parse: (text) => text,
  }
}

/** A switch: `--x`, `--x=false`. It takes no word behind it. */
export function switchFlag({
  default: value = false,
  help,
}: Partial<FlagOptions<boolean>> & { readonly help: string }): Flag<boolean> {
  return { help, default: value, valueName: '', defaultText: value ? 'true' : '', parse: parseBoolean }
}

/** A whole number, of the kinds Go reads: also `0x10` and `1_000`. */
export function integerFlag(options: FlagOptions<number> & { readonly min?: number }): Flag<number> {
  const { default: value, help, min = -Number.MAX_SAFE_INTEGER } = options
  const parse = (text: string) => {
    const number = parseInteger(text)
    if (number < min) throw new Error(`it must be ${min} or more`)
    return number
  }
  return { help, default: value, valueName: 'int', defaultText: value === 0 ? '' : String(value), parse }
}

/** A duration such as `1h30m`, in milliseconds. */
export function durationFlag({ default: value, help }: FlagOptions<number>): Flag<number> {
  const defaultText = value === 0 ? '' : printDuration(BigInt(Math.round(value * 1e6)))
  const parse = (text: string) => {
    try {
      return durationInMs(parseDuration(text))
    } catch (error) {
      throw new Error('it must be a duration such as 1h30m, 1.5h or 100ms', { cause: error })
    }
  }
  return { help, default: value, valueName: 'duration', defaultText, parse }
}

/** One of several words. */
export function choiceFlag<const T extends string>(
  options: FlagOptions<NoInfer<T>> & { readonly choices: readonly T[] },
): Flag<T> {
  const { default: value, help, choices } = options
  const parse = (text: string) => {
    const choice = choices.find((one) => one === text.toLowerCase())
    if (choice === undefined) throw new Error(`it must be one of ${choices.join(', ')}`)
    return choice
  }
  return { help, default: value, valueName: choices.join('|'), defaultText: value, parse }
}

/** Words between commas, blanks around them ignored, and so are empty ones. Used again, the flag adds to the list. */
export function listFlag({ help }: { readonly help: string }): Flag<readonly string[]> {
  const parse = (text: string, before: readonly string[] = []) => [...before, ...splitWords(text)]
  return { help, default: [], valueName: 'string', defaultText: '', parse }
}

/** A flag of any other kind. */
export function flag<T>(definition: Flag<T>): Flag<T> {
  return definition
}

function splitWords(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

const booleans: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['1', 't', 'T', 'TRUE', 'true', 'True'].map((word) => [word, true])),
  ...Object.fromEntries(['0', 'f', 'F', 'FALSE', 'false', 'False'].map((word) => [word, false])),
}

function parseBoolean(text: string): boolean {
  const value = Object.hasOwn(booleans, text) ? booleans[text] : undefined
  if (value === undefined) throw new Error('it must be true or false')
  return value
}

function parseInteger(text: string): number {
  const plain = text.replaceAll(/(?<=[0-9a-fA-F])_(?=[0-9a-fA-F])/g, '')
  const [, sign = '', digits = ''] =
    /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/.exec(plain) ?? []
  const number = digits === '' ? Number.NaN : Number(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits)
  if (!Number.isSafeInteger(number)) throw new Error('it must be a whole number')
  return sign === '-' ? -number : number
}
