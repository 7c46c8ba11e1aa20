import type { Problem } from '../workload/problem.ts'
import { readLines, readPairs, readSettings, type ConfLine, type Pair } from './read-lines.ts'

/** A user's own lines for a file, read and checked. */
export interface ExtraConf {
  /** As it goes into the file: without blank space at its end, since a file ends with one line break. */
  readonly text: string
  readonly lines: readonly ConfLine[]
  /** By names in lower case. */
  readonly settings: ReadonlyMap<string, Pair>
  readonly problems: readonly Problem[]
}

/** Read what a user added. A line that Slurm cannot read is a problem: slurmctld would refuse the whole file. */
export function readExtraConf(extraConf: string | null | undefined, path: string): ExtraConf {
  const text = (extraConf ?? '').trimEnd()
  const lines = readLines(text)
  return { text, lines, settings: readSettings(text), problems: lines.flatMap((line) => whyUnreadable(line, path)) }
}

function whyUnreadable({ content, number }: ConfLine, path: string): Problem[] {
  if (/^include\s+\S/iu.test(content)) return []
  const { rest } = readPairs(content)
  if (rest === '') return []
  const problem = `has in line ${number} something that is no Key=Value: ${shorten(rest)}. Slurm would refuse all of it.`
  return [{ path, problem }]
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}
