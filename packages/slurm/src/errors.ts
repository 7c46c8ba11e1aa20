/** Why slurmrestd did not do what we asked, sorted by what the caller can do about it. */
export type SlurmFailure =
  | 'not-found' // the record does not exist: often what we wanted anyway
  | 'refused' // Slurm understood and said no: tell the user, do not hurry
  | 'unauthorized' // mint a new token and try once more
  | 'unavailable' // nobody answered in time: try later, believe nothing
  | 'malformed' // an answer we cannot read: a bug, ours or theirs

/** What else is known about a failure, for those who sort further. */
export interface SlurmErrorFacts {
  /** Slurm's own number, such as 2016 for "Requested nodes are busy". */
  readonly errorNumber?: number | undefined
  /** The HTTP status, if there was an answer at all. */
  readonly status?: number | undefined
  /** True when we know that the request never left: repeating it cannot do anything twice. */
  readonly neverSent?: boolean | undefined
  readonly cause?: unknown
}

/** The one error of this package. Its text is for people and holds no secret. */
export class SlurmError extends Error {
  override readonly name = 'SlurmError'
  readonly failure: SlurmFailure
  readonly request: string
  readonly errorNumber: number | undefined
  readonly status: number | undefined
  readonly neverSent: boolean

  /** @param request method and path, such as `POST /node/gpu-3`. Never headers, never the token. */
  constructor(failure: SlurmFailure, request: string, detail: string, facts: SlurmErrorFacts = {}) {
    super(`Cannot ${request}: ${detail} (${failure})`, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.failure = failure
    this.request = request
    this.errorNumber = facts.errorNumber
    this.status = facts.status
    this.neverSent = facts.neverSent ?? false
  }
}

/** Is it a Slurm failure of this kind? Anything else that was thrown is a bug and must travel on. */
export function isSlurmFailure(error: unknown, ...failures: readonly SlurmFailure[]): error is SlurmError {
  return error instanceof SlurmError && failures.includes(error.failure)
}

/** Errors of any origin as a SlurmError: what was thrown by a transport counts as silence. */
export function asSlurmError(error: unknown, request: string): SlurmError {
  if (error instanceof SlurmError) return error
  const detail = error instanceof Error ? error.message : String(error)
  return new SlurmError('unavailable', request, detail, { cause: error })
}
