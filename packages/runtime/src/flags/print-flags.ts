import type { Flags } from './flag.ts'

/** What `--help` prints: names in order, the form of Go's programs. */
export function printHelp(program: string, flags: Flags): string {
  const each = describeFlags(flags).map(({ name, valueName, help, defaultText }) => {
    const head = valueName === '' ? `  -${name}` : `  -${name} ${valueName}`
    const text = help.replaceAll('\n', '\n    \t')
    return `${head}\n    \t${text}${defaultText === '' ? '' : ` (default ${defaultText})`}\n`
  })
  return `Usage of ${program}:\n${each.join('')}`
}

/** What a program prints that does not understand its flags; it then ends with code 2. */
export function printWrong(program: string, because: string, flags: Flags): string {
  return `${because}\n${printHelp(program, flags)}`
}

/** One flag, for tables. */
export interface FlagRow {
  readonly name: string
  readonly valueName: string
  readonly defaultText: string
  readonly help: string
}

/** All flags, sorted by name. */
export function describeFlags(flags: Flags): FlagRow[] {
  return Object.entries(flags)
    .map(([name, { valueName, defaultText, help }]) => ({ name, valueName, defaultText, help }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** A table for the documentation, in Markdown. */
export function printFlagTable(flags: Flags): string {
  const rows = describeFlags(flags).map(({ name, valueName, defaultText, help }) => {
    const value = defaultText || (valueName === '' ? 'false' : 'empty')
    return `| \`--${name}\` | ${cell(valueName || 'switch')} | ${cell(value)} | ${cell(help)} |`
  })
  return ['| Flag | Value | Default | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('\n', ' ')
}
