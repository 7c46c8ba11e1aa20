/**
 * `npm run check`: everything that can be said about the sources without running them.
 *
 * @module
 */
import { buildChecks } from './check/checks.ts'
import { describeResult, runChecks } from './check/run-checks.ts'

const results = await runChecks(buildChecks(), (result) => console.log(describeResult(result)))
const failed = results.filter(({ findings }) => findings.length > 0).length
console.log(`${results.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
