import { textAnswer, type Answer } from '../serving/answer.ts'
import type { CheckResult } from './check.ts'

/** What was asked for, besides the path. */
export interface HealthQuestion {
  readonly verbose: boolean
  readonly exclude: readonly string[]
}

/**
 * The answer about all checks together, in the form that people and scripts know from Kubernetes. Why a check fails is
 * not told here, since everybody can read this; the path of the check itself tells it. Checks that are excluded were
 * not run, and so have no reason to fail.
 */
export function printHealth(results: readonly CheckResult[], { verbose, exclude }: HealthQuestion): Answer {
  const lines = results.map(({ name, why }) => {
    if (exclude.includes(name)) return `[+]${name} excluded: ok\n`
    return why === undefined ? `[+]${name} ok\n` : `[-]${name} failed: reason withheld\n`
  })
  const unmatched = [...new Set(exclude)].filter((name) => !results.some((result) => result.name === name)).sort()
  const warning = unmatched.map((name) => JSON.stringify(name)).join(',')
  if (warning !== '') lines.push(`warn: some health checks cannot be excluded: no matches for ${warning}\n`)
  if (results.some(({ why }) => why !== undefined)) return textAnswer(500, `${lines.join('')}healthz check failed`)
  return { code: 200, body: verbose ? `${lines.join('')}healthz check passed\n` : 'ok' }
}

/** The answer about one check, with its reason. */
export function printCheck({ why }: CheckResult): Answer {
  return why === undefined ? { code: 200, body: 'ok' } : textAnswer(500, `internal server error: ${why}`)
}
