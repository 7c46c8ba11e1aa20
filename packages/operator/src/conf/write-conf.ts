/**
 * Files of `Key=Value` lines that Slurm can read, whatever the values are: no empty value, no key twice, and no line
 * that was not meant.
 *
 * @module
 */
import { findRepeated } from '../workload/find-repeated.ts'
import type { Built, Problem } from '../workload/problem.ts'
import { writeValue } from './value-text.ts'

/** A key and its value; `path` is where the value came from, for the words of problems. */
export interface Setting {
  readonly key: string
  readonly value: string
  readonly path?: string
}

/** A part of a file under a banner, with settings of ours. */
export interface SettingSection {
  readonly banner: string
  readonly settings: readonly Setting[]
}

/** A part of a file under a banner. A text is already checked and stands as it is. */
export type Section = SettingSection | { readonly banner: string; readonly text: string }

/** Keys that Slurm reads more than once. All others have one value, and a second one would silently win. */
const repeatable: ReadonlySet<string> = new Set([
  ...['slurmctldhost', 'prolog', 'epilog', 'prologslurmctld', 'epilogslurmctld'],
  ...['nodeset', 'nodename', 'partitionname', 'downnodes', 'frontendname', 'include'],
])

/** Whether a key may stand in a file more than once. */
export function isRepeatable(key: string): boolean {
  return repeatable.has(key.toLowerCase())
}

/** A setting; numbers are values, too. */
export function setting(key: string, value: string | number, path?: string): Setting {
  return { key, value: String(value), ...(path !== undefined && { path }) }
}

/** The file, or a part of it. A section without lines is left out; a setting that cannot be written is a problem. */
export function writeConf(sections: readonly Section[]): Built<string> {
  const written = sections.map((section) => writeSection(section))
  const lines = written.flatMap(({ value }) => value)
  const problems = [...written.flatMap((each) => each.problems), ...findRepeatedKeys(sections)]
  return { value: lines.map((line) => `${line}\n`).join(''), problems }
}

function writeSection(section: Section): Built<string[]> {
  const { value: lines, problems } = writeBody(section)
  return { value: lines.length === 0 ? [] : ['#', `### ${section.banner} ###`, ...lines], problems }
}

function writeBody(section: Section): Built<string[]> {
  if ('text' in section) return { value: section.text === '' ? [] : [section.text], problems: [] }
  const written = section.settings.map((each) => ({ each, line: writeValue(each.value) }))
  return {
    value: written.flatMap(({ each, line }) => ('text' in line ? [`${each.key}=${line.text}`] : [])),
    problems: written.flatMap(({ each, line }) => ('why' in line ? [notWritable(each, line.why)] : [])),
  }
}

function notWritable({ key, path }: Setting, why: string): Problem {
  return { path: path ?? key, problem: `${why}, so Slurm cannot read it as ${key}. Choose another value.` }
}

function findRepeatedKeys(sections: readonly Section[]): Problem[] {
  const settings = sections.flatMap((section) => ('settings' in section ? section.settings : []))
  const keys = settings.map(({ key }) => key.toLowerCase()).filter((key) => !repeatable.has(key))
  return findRepeated(keys).map((key) => ({
    path: key,
    problem: 'would be written twice. This is an error in the operator: please report it.',
  }))
}
