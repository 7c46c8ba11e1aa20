/**
 * One level as one run of vitest, with its report in a temporary file.
 *
 * @module
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../begin/run-program.mjs'
import type { LevelName } from '../levels.ts'
import { ROOT } from '../project.ts'
import type { Wish } from './arguments.ts'
import { findTestFiles, getLevel, selectTests } from './selection.ts'
import { type Report, type RunEnd, type Tally, tallyOf } from './tally.ts'

/** Run the level; undefined when it has no tests yet. */
export async function runLevel(name: LevelName, wish: Wish): Promise<Tally | undefined> {
  const files = findTestFiles(getLevel(name), ROOT)
  if (files.length === 0) return undefined
  const { parameters, filteredByName } = selectTests(wish.words, files)
  const end = await runVitest(['--project', name, ...parameters, ...wish.vitestOptions], wish.environment)
  const tally = tallyOf({ ...end, filteredByName: filteredByName || wish.vitestOptions.some(isNameFilter) })
  return foundNothing(tally) ? { ...tally, failed: [{ test: name, because: 'no test fits the filter' }] } : tally
}

async function runVitest(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Omit<RunEnd, 'filteredByName'>> {
  const folder = await mkdtemp(join(tmpdir(), 'slurm-operator-test-'))
  try {
    const file = join(folder, 'report.json')
    const reporters = ['default', 'json', join(ROOT, 'tools/test/skip-reasons.ts')].map((one) => `--reporter=${one}`)
    const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, `--outputFile.json=${file}`]
    const env = { ...process.env, ...environment }
    const exitCode = await runProgram(process.execPath, [...vitest, ...parameters], { cwd: ROOT, env })
    return { report: await readReport(file), exitCode }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readReport(file: string): Promise<Report | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Report
  } catch {
    return undefined // vitest crashed before it could write; tallyOf counts that as a failure
  }
}

const isNameFilter = (option: string): boolean => /^(?:-t|--testNamePattern)\b/.test(option)

const foundNothing = ({ passed, failed, skipped }: Tally): boolean => passed + failed.length + skipped.length === 0
