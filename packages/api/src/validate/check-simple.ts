import { findTime, whyInvalidQuantity, type SimpleValue } from '@slurm-operator/kube'
import type { Problem } from './problem.ts'

/** What is wrong with a value, without its place. */
type Complaint = Omit<Problem, 'path' | 'severity'>

const INT32_END = 2 ** 31

interface Check {
  /** How the value should be called. */
  readonly want: string
  readonly accepts: (value: unknown) => boolean
}

const checks: Readonly<Record<SimpleValue, Check>> = {
  string: { want: 'a text', accepts: (value) => typeof value === 'string' },
  boolean: { want: 'true or false', accepts: (value) => typeof value === 'boolean' },
  int32: { want: 'a whole number of at most 32 bits', accepts: isInt32 },
  int64: { want: 'a whole number', accepts: Number.isInteger },
  number: { want: 'a number', accepts: (value) => typeof value === 'number' },
  quantity: { want: 'an amount such as 2, 500m or 4Gi', accepts: isQuantity },
  'int-or-string': {
    want: 'a whole number or a text',
    accepts: (value) => typeof value === 'string' || isInt32(value),
  },
  time: { want: 'a time such as 2026-01-31T15:00:00Z', accepts: isTime },
  any: { want: 'anything', accepts: () => true },
}

/** Why a single value is not what it should be; undefined if it is. */
export function whyNotSimple(value: unknown, simple: SimpleValue): Complaint | undefined {
  const { want, accepts } = checks[simple]
  return accepts(value) ? undefined : complain(value, want)
}

/** The complaint about a value that should be something else. */
export function complain(value: unknown, want: string): Complaint {
  return { problem: `it must be ${want}, and it is ${describe(value)}`, advice: adviceFor(value, want) }
}

/** Texts may be secrets, so only what looks like a number or a truth is shown. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
  if (typeof value === 'string') return isQuotedByMistake(value) ? `the text "${value}"` : 'a text'
  return value === null ? 'null' : 'an object'
}

function adviceFor(value: unknown, want: string): string {
  if (want === 'a text' && (typeof value === 'number' || typeof value === 'boolean')) {
    return `Put it in quotes: "${value}".`
  }
  if (typeof value === 'string' && isQuotedByMistake(value)) return `Leave out the quotes: ${value}.`
  return 'Correct it.'
}

function isQuotedByMistake(text: string): boolean {
  return /^(-?[0-9]{1,15}|true|false)$/.test(text)
}

function isInt32(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= -INT32_END && Number(value) < INT32_END
}

function isQuantity(value: unknown): boolean {
  return (typeof value === 'string' || typeof value === 'number') && whyInvalidQuantity(value) === undefined
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && findTime(value) !== undefined
}
