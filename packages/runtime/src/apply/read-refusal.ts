import { KubeError, type FailureCause } from '@slurm-operator/kube'
import type { Difference } from './difference.ts'

/** Why the server will not store what we want, however often we try. */
export type ServerRefusal =
  /** These fields cannot be changed in an object that exists: make it anew, or tell a person. */
  | { readonly kind: 'immutable'; readonly fields: readonly string[] }
  /** The server does not accept the object at all. */
  | { readonly kind: 'invalid'; readonly fields: readonly string[] }

const IMMUTABLE =
  /immutable|may not change|may not be (?:changed|modified|updated)|cannot be changed|^Forbidden: updates to /
// Server-side apply answers with an internal error when an object does not fit its schema.
const UNFIT = /failed to create typed patch object [^:]*: (\.[\w.[\]="-]+): /

/** Read the answer to an apply; undefined if it may go better next time. */
export function readRefusal(error: unknown, differences: readonly Difference[]): ServerRefusal | undefined {
  if (!(error instanceof KubeError)) return undefined
  const unfit = UNFIT.exec(error.message)
  if (error.reason === 'InternalError' && unfit) return { kind: 'invalid', fields: [(unfit[1] ?? '').slice(1)] }
  if (error.reason !== 'Invalid') return undefined
  if (error.causes.some(({ field }) => field === 'metadata.uid')) return undefined // another object has the name by now
  const changes = error.causes.filter(({ message }) => IMMUTABLE.test(message))
  if (changes.length === 0) return { kind: 'invalid', fields: unique(error.causes.map(({ field = '' }) => field)) }
  return { kind: 'immutable', fields: unique(changes.flatMap((cause) => fieldsOf(cause, differences))) }
}

/** The server often names only `spec`. Which of its fields it means, we know: those that differ and are not excepted. */
function fieldsOf({ field = '', message }: FailureCause, differences: readonly Difference[]): string[] {
  const excepted = exceptionsIn(message).map((name) => `${field}.${name}`)
  const ours = differences.map(({ path }) => path).filter((path) => isWithin(path, field))
  const meant = ours.filter((path) => !excepted.some((exception) => isWithin(path, exception)))
  return meant.length > 0 ? meant : [field]
}

/** "… for fields other than 'replicas', 'template' and 'minReadySeconds' are forbidden". */
function exceptionsIn(message: string): string[] {
  const [, listed = ''] = /other than (.*?) are forbidden/.exec(message) ?? []
  return [...listed.matchAll(/'([^']+)'/g)].map(([, name = '']) => name)
}

function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)
}

function unique(fields: readonly string[]): string[] {
  return [...new Set(fields)].sort()
}
