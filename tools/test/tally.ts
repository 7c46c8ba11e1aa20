/**
 * Counting, so that the last line of `npm test` is true: what crashed has failed, and what was left out is named.
 *
 * @module
 */

/** A test that did not run, and why. */
interface Skipped {
  readonly test: string
  readonly because: string
}

/** What came out of one level or of all of them. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly Skipped[]
}

/** The part of vitest's JSON report that is counted. */
export interface Report {
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
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
  const count = (status: string): number => tests.filter((test) => test.status === status).length
  const failed = count('failed') + files.filter(failedAsAWhole).length
  const crashed = report === undefined || exitCode !== 0
  const skipped = tests.flatMap((test) => skippedOf(test, filteredByName))
  return { passed: count('passed'), failed: failed === 0 && crashed ? 1 : failed, skipped }
}

/** All levels together. */
export function sum(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((total, { passed }) => total + passed, 0),
    failed: tallies.reduce((total, { failed }) => total + failed, 0),
    skipped: tallies.flatMap(({ skipped }) => skipped),
  }
}

/** The closing words of everything: skips are named only if there are any. */
export function describeTotal({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped.length === 0 ? '' : `, ${skipped.length} skipped`}`
}

/** The closing words of one level. */
export function describeLevel({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed, ${skipped.length} skipped`
}

type FileResult = Report['testResults'][number]

/** Such as a file that cannot be imported: no test of it could fail, or even be counted. */
function failedAsAWhole({ status, assertionResults }: FileResult): boolean {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed')
}

function skippedOf(test: FileResult['assertionResults'][number], filteredByName: boolean): Skipped[] {
  if (test.status === 'passed' || test.status === 'failed') return []
  const because = test.meta?.skipReason
  if (because === undefined && filteredByName) return []
  return [{ test: test.fullName.trim(), because: because ?? 'no reason given' }]
}
