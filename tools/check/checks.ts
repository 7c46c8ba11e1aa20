/**
 * The list of checks.
 *
 * @module
 */
import { programs } from '../begin/programs.mjs'
import { ROOT, readProjectFiles } from '../project.ts'
import { findWrongArrows } from './arrows.ts'
import { findBrokenCommands } from './commands.ts'
import { findCycles } from './cycles.ts'
import { findForbiddenWords } from './forbidden-words.ts'
import { findStale } from './generated.ts'
import { findImports } from './imports.ts'
import { runTool } from './tool.ts'

/** One check: its findings in words; none means all is well. */
export interface Check {
  readonly name: string
  readonly find: () => Promise<readonly string[]>
}

/** All checks of `npm run check`. They share one look at the disk, so they agree on what they saw. */
export function buildChecks(): readonly Check[] {
  const files = readProjectFiles(ROOT)
  const imports = files.then(findImports)
  return [
    { name: 'types', find: () => runTool('tsc', ['--project', 'tsconfig.json', '--pretty', 'false']) },
    { name: 'lint', find: () => runTool('oxlint', ['--deny-warnings', '--format', 'unix']) },
    { name: 'format', find: () => runTool('oxfmt', ['--check', '.'], 'npm run format') },
    { name: 'dead code', find: () => runTool('knip', ['--no-progress', '--no-config-hints']) },
    { name: 'package arrows', find: async () => findWrongArrows(await imports) },
    { name: 'import cycles', find: async () => findCycles(await imports) },
    { name: 'forbidden words', find: async () => findForbiddenWords(await files) },
    { name: 'generated files', find: async () => findStale() },
    { name: 'commands', find: async () => findBrokenCommands(await files, Object.values(programs)) },
  ]
}
