/**
 * The one table of test levels, from fast to real. A file belongs to a level by its name alone.
 *
 * @module
 */

import { availableParallelism } from 'node:os'

/** One level; vitest.config.ts makes a project of each, tools/test.ts runs them in this order. */
export interface Level {
  readonly name: LevelName
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly testTimeoutMs: number
  readonly hookTimeoutMs: number
  /** How many test files may run at once; undefined: one less than there are cores. */
  readonly filesAtOnce?: number
  /** Options of Node for the processes of the tests. */
  readonly nodeOptions?: readonly string[]
}

/** The names, as they are typed: `npm run test:api`. */
export type LevelName = 'unit' | 'sim' | 'api' | 'e2e'

const SECOND = 1000
const MINUTE = 60 * SECOND
const FOLDERS = ['packages/*/{src,generate,image}', 'tools', 'bench']

/** A test file without a level in its name is a unit test. */
export const levels: readonly Level[] = [
  {
    name: 'unit', // pure, or with nothing but this process, its files and loopback
    include: filesEndingWith('.test.ts'),
    exclude: filesEndingWith('.{sim,api,e2e}.test.ts'),
    testTimeoutMs: 10 * SECOND,
    hookTimeoutMs: 10 * SECOND,
  },
  {
    name: 'sim', // seeded histories in a simulated world
    include: filesEndingWith('.sim.test.ts'),
    exclude: [],
    testTimeoutMs: 10 * MINUTE,
    hookTimeoutMs: MINUTE,
    filesAtOnce: availableParallelism(), // one processor is left free otherwise, and nothing here waits for anything else
    nodeOptions: ['--max-semi-space-size=64'], // worlds come and go: a tenth of all time went into collecting them
  },
  {
    name: 'api', // a real API server; two at once keep two cores busy and no more
    include: filesEndingWith('.api.test.ts'),
    exclude: [],
    testTimeoutMs: 2 * MINUTE,
    hookTimeoutMs: 15 * MINUTE, // the first run builds programs
    filesAtOnce: 2,
  },
  {
    name: 'e2e', // real everything: nodes and namespaces of the machine are shared, so one file after another
    include: filesEndingWith('.e2e.test.ts'),
    exclude: [],
    testTimeoutMs: 10 * MINUTE,
    hookTimeoutMs: 15 * MINUTE,
    filesAtOnce: 1,
  },
]

function filesEndingWith(ending: string): string[] {
  return FOLDERS.map((folder) => `${folder}/**/*${ending}`)
}
