import { withoutEscapes } from './value-text.ts'

/** A line as Slurm understands it: without comment, with its continuation lines, and as it was written. */
export interface ConfLine {
  /** Escapes are gone; empty for a comment or an empty line. */
  readonly content: string
  readonly raw: readonly string[]
  /** Of its first line, from 1. */
  readonly number: number
}

/** `Key=Value` in a line. */
export interface Pair {
  readonly key: string
  readonly value: string
}

/** Take a text apart as Slurm's reader does. */
export function readLines(text: string): ConfLine[] {
  const lines: ConfLine[] = []
  let open: { content: string; raw: string[]; number: number } | undefined
  for (const [index, raw] of text.split('\n').entries()) {
    const { content, continues } = readPhysicalLine(raw)
    open = {
      content: (open?.content ?? '') + content,
      raw: [...(open?.raw ?? []), raw],
      number: open?.number ?? index + 1,
    }
    if (!continues) {
      lines.push({ ...open, content: withoutEscapes(open.content).trim() })
      open = undefined
    }
  }
  return open ? [...lines, { ...open, content: withoutEscapes(open.content).trim() }] : lines
}

/** The pairs of a line, and the first thing in it that is none. Slurm refuses the whole file for such a thing. */
export function readPairs(content: string): { readonly pairs: readonly Pair[]; readonly rest: string } {
  const pairs: Pair[] = []
  let rest = content.trim()
  for (let found = rest.match(pairPattern); found; found = rest.match(pairPattern)) {
    pairs.push({ key: found[1] ?? '', value: found[2] ?? found[3] ?? '' })
    rest = rest.slice(found[0].length).trim()
  }
  return { pairs, rest }
}

const pairPattern = /^([A-Za-z0-9_.]+)\s*[-*+/]?=\s*(?:"([^"]*)"|(\S+))(?=\s|$)/u

/** Settings of a text by their names in lower case. As in Slurm the last one counts; lines with several pairs are none. */
export function readSettings(text: string): ReadonlyMap<string, Pair> {
  const settings = readLines(text).flatMap(({ content }): [string, Pair][] => {
    const { pairs, rest } = readPairs(content)
    const [pair] = pairs
    return pair && pairs.length === 1 && rest === '' ? [[pair.key.toLowerCase(), pair]] : []
  })
  return new Map(settings)
}

function readPhysicalLine(raw: string): { content: string; continues: boolean } {
  const line = withoutComment(raw.replaceAll('\r', '')).trimEnd()
  const backslashes = /\\*$/u.exec(line)?.[0].length ?? 0
  const continues = backslashes % 2 === 1
  return { content: continues ? line.slice(0, -1) : line, continues }
}

/** Everything from a `#` on, unless it is escaped. */
function withoutComment(line: string): string {
  return /^(?:[^\\#]|\\.|\\$)*/u.exec(line)?.[0] ?? ''
}
