/**
 * Counting, so that the last line of `npm test` is true: what crashed has failed, and what was left out is named.
 *
 * @module
 */

/** A test that failed or did not run, and why. */
interface Named {
  readonly test: string
  readonly because: string
}

/** What came out of one level or of all of them. */
export interface Tally {
  readonly passed: number
  readonly failed: readonly Named[]
  readonly skipped: readonly Named[]
}

/** The part of vitest's JSON report that is counted. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[] | null
      readonly meta?: { readonly skipReason?: string }
    }[]
  }[]
}

/** How a run of vitest ended: its report may be missing, and its exit code may know more than the report. */
export interface RunEnd {
  readonly report: Report | undefined
  readonly exitCode: number
  /** With a filter by test name vitest reports all other tests as skipped; those were not asked for. */
  readonly filteredByName: boolean
}

/** Count one run. A non-zero exit is at least one failure, whatever the report says. */
export function tallyOf({ report, exitCode, filteredByName }: RunEnd): Tally {
  const files = report?.testResults ?? []
  const tests = files.flatMap(({ assertionResults }) => assertionResults)
  const failed = [...tests.flatMap(failedOf), ...files.flatMap(failedAsAWhole)]
  const skipped = tests.flatMap((test) => skippedOf(test, filteredByName))
  const crashed = report === undefined || exitCode !== 0
  const crash = { test: 'the run of vitest', because: `it ended with code ${exitCode}; what it said is above` }
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failed.length === 0 && crashed ? [crash] : failed,
    skipped,
  }
}

/** All levels together. */
export function sum(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((total, { passed }) => total + passed, 0),
    failed: tallies.flatMap(({ failed }) => failed),
    skipped: tallies.flatMap(({ skipped }) => skipped),
  }
}

/** The closing words of everything: skips are named only if there are any. */
export function describeTotal({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed.length} failed${skipped.length === 0 ? '' : `, ${skipped.length} skipped`}`
}

/** The closing words of one level. */
export function describeLevel({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`
}

type FileResult = Report['testResults'][number]

type TestResult = FileResult['assertionResults'][number]

/** Such as a file that cannot be imported: no test of it could fail, or even be counted. */
function failedAsAWhole({ name, status, message, assertionResults }: FileResult): Named[] {
  if (status !== 'failed' || assertionResults.some((test) => test.status === 'failed')) return []
  return [{ test: name, because: firstLine(message) }]
}

function failedOf({ fullName, status, failureMessages }: TestResult): Named[] {
  return status === 'failed' ? [{ test: fullName.trim(), because: firstLine(failureMessages?.[0]) }] : []
}

function skippedOf(test: TestResult, filteredByName: boolean): Named[] {
  if (test.status === 'passed' || test.status === 'failed') return []
  const because = test.meta?.skipReason
  if (because === undefined && filteredByName) return []
  return [{ test: test.fullName.trim(), because: because ?? 'no reason given' }]
}

function firstLine(message = ''): string {
  return message.trim().split('\n', 1)[0] || 'no reason given'
}
