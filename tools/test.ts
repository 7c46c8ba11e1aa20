/**
 * `npm test`: the checks, then every level from fast to real, then one true line. A failure stops nothing but the
 * success: later levels still run, because what they say is worth knowing.
 *
 * @module
 */
import { buildChecks } from './check/checks.ts'
import { describeResult, runChecks } from './check/run-checks.ts'
import { parseArguments, type Wish } from './test/arguments.ts'
import { runLevel } from './test/run-level.ts'
import { describeLevel, describeTotal, sum, type Tally } from './test/tally.ts'

let interruptedBy: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (interruptedBy = signal))

const wish = understand(process.argv.slice(2))
if (wish !== undefined) await testAll(wish)

function understand(parameters: readonly string[]): Wish | undefined {
  try {
    return parseArguments(parameters)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
    return undefined
  }
}

async function testAll(wanted: Wish): Promise<void> {
  const tallies: Tally[] = wanted.withChecks ? [await runAllChecks()] : []
  for (const name of wanted.levels) {
    if (interruptedBy !== undefined) break
    const tally = await runLevel(name, wanted)
    console.log(`${name}: ${tally === undefined ? 'no tests yet' : describeLevel(tally)}\n`)
    if (tally !== undefined) tallies.push(tally)
  }
  report(sum(tallies))
}

async function runAllChecks(): Promise<Tally> {
  const results = await runChecks(buildChecks(), (result) => console.log(describeResult(result)))
  const failed = results.flatMap(({ name, findings }) =>
    findings.length > 0 ? [{ test: name, because: findings[0] ?? '' }] : [],
  )
  const tally = { passed: results.length - failed.length, failed, skipped: [] }
  console.log(`check: ${describeLevel(tally)}\n`)
  return tally
}

/** An interrupted run has not succeeded, even if nothing failed until then. */
function report({ passed, failed, skipped }: Tally): void {
  const interruption = { test: 'the later levels', because: `they did not run: interrupted by ${interruptedBy}` }
  const allFailed = [...failed, ...(interruptedBy === undefined ? [] : [interruption])]
  for (const { test, because } of skipped) console.log(`skipped: ${test}: ${because}`)
  for (const { test, because } of allFailed) console.log(`failed: ${test}: ${because}`)
  console.log(describeTotal({ passed, failed: allFailed, skipped }))
  process.exitCode = allFailed.length === 0 ? 0 : 1
}
