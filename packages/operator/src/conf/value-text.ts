/**
 * How a value stands in a file that Slurm reads. Its reader takes `#` for a comment even between quotes, takes every
 * backslash for an escape, knows no quote inside of quotes, and ends a value at the first blank outside of them.
 *
 * @module
 */

/** The text of a value, or why there is none. */
export type ValueText = { readonly text: string } | { readonly why: string }

/** Longer lines are cut by Slurm's reader. */
const LONGEST = 3500

/** Write a value so that Slurm reads the very same one. */
export function writeValue(value: string): ValueText {
  const why = whyNotWritable(value)
  if (why !== undefined) return { why }
  const escaped = value.replaceAll('\\', '\\\\').replaceAll('#', '\\#')
  return { text: hasBlank(value) ? `"${escaped}"` : escaped }
}

/** Take escapes out of a line, as Slurm does before it looks for keys and values. */
export function withoutEscapes(line: string): string {
  return line.replaceAll(/\\(.?)/gsu, '$1')
}

function whyNotWritable(value: string): string | undefined {
  if (value === '') return 'is empty'
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  if (/[\u0000-\u0008\u000A-\u001F\u007F]/u.test(value)) return 'has a line break or another control character in it'
  if (value.length > LONGEST) return `is longer than ${LONGEST} characters`
  if (hasBlank(value) && value.includes('"')) return 'has both a blank and a double quote in it'
  if (value.startsWith('"') && value.endsWith('"')) return 'begins and ends with a double quote'
  return undefined
}

function hasBlank(value: string): boolean {
  return /[ \t]/u.test(value)
}
