/**
 * Sorts answers into good ones and the five kinds of failure, by body and by status: neither alone is enough.
 * slurmrestd says 200 to a cancel that failed, 500 to a request it understood and refused, and 511 to a bad token.
 *
 * @module
 */
import type { SlurmFailure } from '../errors.ts'
import { isObject } from '../model/fields.ts'
import { AUTHENTICATION_ERROR, nobodyAtHomeNumbers } from './slurm-error-numbers.ts'

/** What came back, as far as it matters here. */
export interface AnswerFacts {
  readonly status: number
  /** The parsed JSON object, or the text of an answer that was none. */
  readonly body: unknown
}

/** Why an answer is not a good one. */
export interface Failure {
  readonly failure: SlurmFailure
  readonly detail: string
  readonly errorNumber?: number
  /** True when slurmrestd does not know the path at all: perhaps it was replaced by one with other REST versions. */
  readonly unknownPath?: boolean
}

interface ErrorEntry {
  readonly number: number
  readonly text: string
}

/** Why this answer is a failure, or undefined for a good one. */
export function whyFailed(facts: AnswerFacts, notFoundNumbers: readonly number[] = []): Failure | undefined {
  const errors = errorsIn(facts.body)
  return whyByNumbers(errors, notFoundNumbers) ?? whyByStatus(facts, errors) ?? whyByErrors(errors)
}

/** Slurm's numbers are more exact than the status wherever they are known. */
function whyByNumbers(errors: readonly ErrorEntry[], notFoundNumbers: readonly number[]): Failure | undefined {
  const kinds: readonly (readonly [SlurmFailure, readonly number[]])[] = [
    ['unauthorized', [AUTHENTICATION_ERROR]],
    ['unavailable', nobodyAtHomeNumbers],
    ['not-found', notFoundNumbers],
  ]
  for (const [failure, numbers] of kinds) {
    const entry = errors.find(({ number }) => numbers.includes(number))
    if (entry) return { failure, detail: entry.text, errorNumber: entry.number }
  }
  return undefined
}

function whyByStatus({ status, body }: AnswerFacts, errors: readonly ErrorEntry[]): Failure | undefined {
  if (status === 304 || (status >= 200 && status < 300)) return undefined
  const entry = errors.find(({ number }) => number !== 0)
  const detail = entry?.text ?? describeText(status, body)
  const numbered = entry && { errorNumber: entry.number }
  if (status === 401 || status === 511) return { failure: 'unauthorized', detail, ...numbered }
  if (status === 404 && typeof body === 'string') return { failure: 'refused', detail, unknownPath: true }
  if (status === 404) return { failure: 'not-found', detail, ...numbered }
  if (isBusyOrAway(status) || (status >= 500 && !entry)) return { failure: 'unavailable', detail, ...numbered }
  if (status >= 400) return { failure: 'refused', detail, ...numbered }
  return { failure: 'malformed', detail: `an answer with HTTP ${status} is not expected` }
}

function isBusyOrAway(status: number): boolean {
  return [408, 425, 429, 502, 503, 504].includes(status)
}

/** A good status with errors inside. Number 0 is "No error" and only says that there is no such record. */
function whyByErrors(errors: readonly ErrorEntry[]): Failure | undefined {
  const entry = errors.find(({ number }) => number !== 0)
  if (entry) return { failure: 'refused', detail: entry.text, errorNumber: entry.number }
  const [harmless] = errors
  return harmless && { failure: 'not-found', detail: harmless.text }
}

function errorsIn(body: unknown): ErrorEntry[] {
  const errors = isObject(body) ? body['errors'] : undefined
  if (!Array.isArray(errors)) return []
  return errors.filter(isObject).map((entry) => ({
    number: typeof entry['error_number'] === 'number' ? entry['error_number'] : -1,
    text: [entry['error'], entry['description']].filter((text) => typeof text === 'string' && text !== '').join(': '),
  }))
}

function describeText(status: number, body: unknown): string {
  const text = typeof body === 'string' ? body.trim().slice(0, 200) : ''
  return text === '' ? `HTTP ${status} without a word` : `HTTP ${status}, ${text}`
}
