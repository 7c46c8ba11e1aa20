/**
 * Hostlists as Slurm writes them, such as `gpu-[001-003,7],r[1-2]n[0-3]-ib`, taken apart into names.
 *
 * Checked against `scontrol show hostnames`. We refuse what Slurm swallows without meaning: a range without an end
 * (`a[1-]`), brackets in brackets and a closing bracket alone.
 *
 * @module
 */

/** The largest number of names in one range that Slurm itself accepts. */
export const LARGEST_RANGE = 65_536

/** Enough for any Slurm cluster; a typing error in a range must not cost the memory of the process. */
const DEFAULT_LIMIT = 262_144

/** Why a text is no hostlist. */
export class HostlistError extends Error {
  override readonly name = 'HostlistError'
}

/** The names of a hostlist, or why it cannot be read. */
export type HostlistReading =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'unreadable'; readonly because: string }

/** Like `expandHostlist`, for texts of others: one bad job must not stop the rest. */
export function readHostlist(text: string, limit = DEFAULT_LIMIT): HostlistReading {
  try {
    return { kind: 'names', names: expandHostlist(text, limit) }
  } catch (error) {
    if (error instanceof HostlistError) return { kind: 'unreadable', because: error.message }
    throw error
  }
}

/** All names in the order of the text, repeated ones repeated. Throws `HostlistError`, also above `limit` names. */
export function expandHostlist(text: string, limit = DEFAULT_LIMIT): string[] {
  const names: string[] = []
  for (const item of splitItems(text)) {
    if (item.includes('[') || item.includes(']')) expandItem(item, names, limit)
    else names.push(item)
    if (names.length > limit) throw tooMany(text, limit)
  }
  return names
}

/** Items end at commas and blanks outside of brackets. */
function splitItems(text: string): string[] {
  return text.match(/(?:\[[^\]]*\]?|[^,\s[])+/g) ?? []
}

/** The last bracket counts fastest, as digits do. */
function expandItem(item: string, names: string[], limit: number): void {
  let heads: string[] = ['']
  for (const part of item.split(/(\[[^\]]*\]?)/)) {
    const tails = part.startsWith('[') ? expandBracket(part, item, limit) : [plainPart(part, item)]
    if (heads.length * tails.length + names.length > limit) throw tooMany(item, limit)
    heads = heads.flatMap((head) => tails.map((tail) => head + tail))
  }
  for (const name of heads) names.push(name)
}

function plainPart(part: string, item: string): string {
  if (part.includes(']')) throw unbalanced(item, 'opened')
  return part
}

function expandBracket(bracket: string, item: string, limit: number): string[] {
  if (!bracket.endsWith(']')) throw unbalanced(item, 'closed')
  const numbers: string[] = []
  for (const range of bracket.slice(1, -1).split(',')) {
    for (const number of expandRange(range, item)) numbers.push(number)
    if (numbers.length > limit) throw tooMany(item, limit)
  }
  return numbers
}

/** Padding comes from the first number alone: `08-11` counts 08, 09, 10, 11 and `8-011` counts 8, 9, 10, 11. */
function expandRange(range: string, item: string): string[] {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? []
  if (first === undefined || last === undefined) throw badRange(range, item, 'is no number and no range of numbers')
  if (first === last) return [first]
  const [from, to] = [Number(first), Number(last)]
  if (!Number.isSafeInteger(to)) throw badRange(range, item, 'has a number that is too large')
  if (to < from) throw badRange(range, item, 'ends before it begins')
  if (to - from >= LARGEST_RANGE) throw badRange(range, item, `is longer than the ${LARGEST_RANGE} that Slurm accepts`)
  return Array.from({ length: to - from + 1 }, (_, step) => String(from + step).padStart(first.length, '0'))
}

function unbalanced(item: string, never: 'opened' | 'closed'): HostlistError {
  return new HostlistError(`Cannot read ${quote(item)} as a hostlist: a bracket is never ${never}.`)
}

function badRange(range: string, item: string, why: string): HostlistError {
  return new HostlistError(`Cannot read ${quote(item)} as a hostlist: ${quote(range)} ${why}.`)
}

function tooMany(text: string, limit: number): HostlistError {
  return new HostlistError(`Cannot expand ${quote(text)}: it has more than ${limit} names. Use a shorter list.`)
}

/** Short enough for a line of a log. */
function quote(text: string): string {
  return `"${text.length > 80 ? `${text.slice(0, 80)}…` : text}"`
}
