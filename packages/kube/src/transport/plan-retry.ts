import type { KubeError } from '../errors/kube-error.ts'
import type { Random } from './clock.ts'
import type { Method } from './http.ts'

/** How often and how patiently a request is tried. */
export interface RetryPolicy {
  /** Tries in total; 1 means never again. */
  readonly maxTries: number
  readonly firstDelayMs: number
  readonly longestDelayMs: number
}

/** Long enough for a server that is restarted; the deadline of the request ends it earlier. */
export const defaultRetryPolicy: RetryPolicy = { maxTries: 8, firstDelayMs: 100, longestDelayMs: 5_000 }

/** A try that failed. */
export interface FailedTry {
  readonly method: Method
  readonly error: KubeError
  /** Tries so far, this one included. */
  readonly tries: number
}

/** How long to wait before the next try; undefined: there must be none. */
export function planRetry(
  { method, error, tries }: FailedTry,
  policy: RetryPolicy,
  random: Random,
): number | undefined {
  if (tries >= policy.maxTries || !mayRepeat(method, error)) return undefined
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1000 * (1 + random() / 4) // never too early
  const ceiling = Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** (tries - 1))
  return ceiling * (0.5 + random() / 2)
}

/** Reading twice does no harm. Writing twice does, unless the server surely did not act the first time. */
function mayRepeat(method: Method, error: KubeError): boolean {
  if (isAboutBudget(error)) return false // the answer will be the same until some pod comes up
  if (method === 'GET') return error.reason === 'Unreachable' || isTransient(error.code)
  if (error.reason === 'Unreachable') return !error.mayHaveHappened
  return error.code === 429 || (error.code === 503 && error.retryAfterSeconds !== undefined)
}

function isTransient(code: number | undefined): boolean {
  return code === 429 || code === 500 || code === 502 || code === 503 || code === 504
}

function isAboutBudget(error: KubeError): boolean {
  return error.causes.some((cause) => cause.reason === 'DisruptionBudget')
}
