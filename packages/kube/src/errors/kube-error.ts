import type { FailureReason } from './reasons.ts'
import { redact } from './redact.ts'

/** One field that the server complains about, or one owner of a field in a conflict. */
export interface FailureCause {
  readonly reason: string
  readonly message: string
  readonly field?: string
}

/** Everything there is to know about a failure. */
export interface Failure {
  readonly reason: FailureReason
  /** Verb and object for people, such as `get pods a/b`. */
  readonly request: string
  readonly detail: string
  /** The HTTP code, if there was an answer. */
  readonly code?: number
  readonly causes?: readonly FailureCause[]
  /** How long the server asks us to wait. */
  readonly retryAfterSeconds?: number
  /** The server may have acted although we got no answer. Never true when it surely did not. */
  readonly mayHaveHappened?: boolean
  /** A list can go on from here, although not with the same snapshot. */
  readonly continueToken?: string
}

/** The one error of this package. Sort by `reason`; `message` is for people and holds no secret. */
export class KubeError extends Error {
  override readonly name = 'KubeError'
  readonly reason: FailureReason
  readonly request: string
  readonly code: number | undefined
  readonly causes: readonly FailureCause[]
  readonly retryAfterSeconds: number | undefined
  readonly mayHaveHappened: boolean
  readonly continueToken: string | undefined

  constructor(failure: Failure, cause?: unknown) {
    super(redact(`Cannot ${failure.request}: ${failure.detail} (${failure.reason})`), { cause })
    this.reason = failure.reason
    this.request = failure.request
    this.code = failure.code
    this.causes = failure.causes ?? []
    this.retryAfterSeconds = failure.retryAfterSeconds
    this.mayHaveHappened = failure.mayHaveHappened ?? false
    this.continueToken = failure.continueToken
  }
}

/** Whether something thrown is ours and has one of these reasons. */
export function isFailure(error: unknown, ...reasons: readonly FailureReason[]): error is KubeError {
  return error instanceof KubeError && reasons.includes(error.reason)
}

/** The object does not exist. Often what we wanted anyway. */
export function isNotFound(error: unknown): error is KubeError {
  return isFailure(error, 'NotFound')
}

/** A resourceVersion or continue token is too old: only a new list helps. */
export function isExpired(error: unknown): error is KubeError {
  return isFailure(error, 'Expired', 'Gone')
}

/** Read again, decide again, write again. */
export function isConflict(error: unknown): error is KubeError {
  return isFailure(error, 'Conflict')
}
