/**
 * Parameters that hold a list of options, of which both the operator and the user have some. Slurm takes the last line
 * alone, so a line with both lists comes at the end of the file.
 *
 * @module
 */
import type { Pair } from './read-lines.ts'
import { setting, type Setting } from './write-conf.ts'

/** One line for each of our lists that the user's text sets, too. Options keep their case: some are paths. */
export function mergeListParameters(ours: readonly Setting[], theirs: ReadonlyMap<string, Pair>): Setting[] {
  const sorted = ours.toSorted((a, b) => compareBytes(a.key, b.key))
  return sorted.flatMap((mine) => {
    const value = theirs.get(mine.key.toLowerCase())?.value ?? ''
    return value === '' || /\s/u.test(value) ? [] : [setting(mine.key, uniteOptions(mine.value, value))]
  })
}

/** Ours win over the user's of the same name, and earlier ones over later ones. */
function uniteOptions(ours: string, theirs: string): string {
  const options = new Map<string, string>()
  for (const option of [...ours.split(','), ...theirs.split(',')]) {
    const name = (option.split('=')[0] ?? '').toLowerCase()
    if (option !== '' && !options.has(name)) options.set(name, option)
  }
  return [...options.values()].sort(compareBytes).join(',')
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
