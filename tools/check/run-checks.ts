/**
 * Runs checks side by side and tells the outcome of each as soon as it is known.
 *
 * @module
 */
import type { Check } from './checks.ts'

/** What one check found and how long it took; the counting of `npm test` needs it too. */
export interface CheckResult {
  readonly name: string
  readonly findings: readonly string[]
  readonly tookMs: number
}

/** Start all checks at once; each is told to `onResult` when it ends, and a crash is a finding like any other. */
export async function runChecks(
  checks: readonly Check[],
  onResult: (result: CheckResult) => void,
): Promise<CheckResult[]> {
  return Promise.all(
    checks.map(async (check) => {
      const result = await runCheck(check)
      onResult(result)
      return result
    }),
  )
}

/** The lines people read: one per check, and below it what was found. */
export function describeResult({ name, findings, tookMs }: CheckResult): string {
  const took = `${(tookMs / 1000).toFixed(1)} s`.padStart(7)
  const head = `${findings.length === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(16)}${took}`
  return [head, ...findings.map((finding) => `     ${finding}`)].join('\n')
}

async function runCheck({ name, find }: Check): Promise<CheckResult> {
  const startedMs = performance.now()
  const findings = await find().catch((error: unknown) => [`the check itself failed: ${String(error)}`])
  return { name, findings, tookMs: performance.now() - startedMs }
}
