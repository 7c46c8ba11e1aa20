/**
 * Commands that point to files. A renamed file must not leave an npm script behind that fails only when called.
 *
 * @module
 */
import { posix } from 'node:path'
import type { ProjectFile } from '../project.ts'

const FILE_NAME = /^[\w./-]+\.(?:ts|mts|js|mjs|sh)$/

/** Scripts of all package.json files whose program is not in the repository, and first programs likewise. */
export function findBrokenCommands(files: readonly ProjectFile[], alsoStarted: readonly string[]): string[] {
  const paths = new Set(files.map(({ path }) => path))
  const scripts = files.filter(({ path }) => posix.basename(path) === 'package.json').flatMap(commandFiles)
  const started = alsoStarted.map((file) => ({ command: `tools/begin.mjs`, file }))
  return [...scripts, ...started]
    .filter(({ file }) => !paths.has(file))
    .map(({ command, file }) => `${command}: runs ${file}, which does not exist`)
}

function commandFiles({ path, text }: ProjectFile): { command: string; file: string }[] {
  const { scripts = {} } = JSON.parse(text) as { scripts?: Record<string, string> }
  return Object.entries(scripts).flatMap(([name, line]) =>
    line
      .split(/\s+/)
      .filter((word) => FILE_NAME.test(word))
      .map((word) => ({ command: `${path} "${name}"`, file: posix.join(posix.dirname(path), word) })),
  )
}
