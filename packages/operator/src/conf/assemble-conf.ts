import type { Problem } from '../workload/problem.ts'
import type { ExtraConf } from './extra-conf.ts'
import { mergeListParameters } from './list-parameters.ts'
import { isRepeatable, writeConf, type Section, type SettingSection, type Setting } from './write-conf.ts'

/** A file, and what is wrong with what it was made from. With a problem that is no warning it must not be written. */
export interface ConfFile {
  readonly text: string
  readonly problems: readonly Problem[]
}

/** The parts of a file that a user may extend. */
export interface ConfParts {
  readonly ours: readonly SettingSection[]
  /** Those of our settings that are lists, to which the user's options are added. */
  readonly lists: readonly Setting[]
  /** More sections, whose lines are already checked. */
  readonly more?: readonly Section[]
  readonly extra: ExtraConf
}

/** Ours first, then the user's lines as they are, then the lists in which both have something. */
export function assembleConf({ ours, lists, more = [], extra }: ConfParts): ConfFile {
  const isKept = (mine: Setting) => lists.includes(mine) || !isOverridden(mine, extra)
  const { value, problems } = writeConf([
    ...ours.map((section) => ({ ...section, settings: section.settings.filter(isKept) })),
    ...more,
    { banner: 'EXTRA CONFIG', text: extra.text },
  ])
  // On its own, since these keys stand twice in the file on purpose: Slurm takes the last.
  const merged = writeConf([{ banner: 'MERGED CONFIG', settings: mergeListParameters(lists, extra.settings) }])
  return { text: value + merged.value, problems: [...problems, ...extra.problems, ...merged.problems] }
}

/** The user's setting would win anyway; with ours before it Slurm would complain in every log. */
function isOverridden({ key }: Setting, { settings }: ExtraConf): boolean {
  return !isRepeatable(key) && settings.has(key.toLowerCase())
}
