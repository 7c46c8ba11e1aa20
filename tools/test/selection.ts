/**
 * Which files and tests of a level a person means by bare words.
 *
 * @module
 */
import { globSync } from 'node:fs'
import { type Level, levels } from '../levels.ts'

/** Arguments of vitest that select what the words mean. */
export interface Selection {
  readonly parameters: readonly string[]
  readonly filteredByName: boolean
}

/** The test files of a level; none means that the level has no tests yet. */
export function findTestFiles({ include, exclude }: Level, root: string): string[] {
  return globSync(include, { cwd: root, exclude: [...exclude, '**/node_modules/**'] }).sort()
}

/** A word that is part of a file name selects that file; any other word selects tests by their name. */
export function selectTests(words: readonly string[], files: readonly string[]): Selection {
  const isFile = (word: string): boolean => files.some((file) => file.includes(word))
  const names = words.filter((word) => !isFile(word)).map((word) => RegExp.escape(word))
  const byName = names.length === 0 ? [] : [`--testNamePattern=${names.join('|')}`]
  return { parameters: [...words.filter(isFile), ...byName], filteredByName: names.length > 0 }
}

/** The level of that name; the names are typed, so there always is one. */
export function getLevel(name: string): Level {
  const level = levels.find((one) => one.name === name)
  if (level === undefined) throw new Error(`Cannot find level ${name}: it is not in tools/levels.ts.`)
  return level
}
