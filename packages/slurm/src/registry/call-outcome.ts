import type { CallOutcome } from '../breaker/breaker.ts'
import type { SlurmRequest } from '../client/request.ts'
import { nobodyAtHomeNumbers } from '../client/slurm-error-numbers.ts'
import { DeadlineError } from '../client/with-deadline.ts'
import type { SlurmError } from '../errors.ts'
import { StrangerError } from '../client/negotiate.ts'

/** What a failed call says about the slurmrestd that carried it. A refused order says that it works. */
export function outcomeOf(error: SlurmError, request: SlurmRequest): CallOutcome {
  if (error instanceof StrangerError) return 'failed' // it was upgraded, or is somebody else
  switch (error.failure) {
    case 'not-found':
    case 'refused':
      return 'answered'
    case 'unauthorized':
      return request.onBehalfOf === undefined ? 'refused-token' : 'answered'
    case 'malformed':
      return 'failed'
    case 'unavailable':
      if (request.plugin === 'slurmdb' && error.status !== undefined) return 'answered' // slurmdbd is away, nobody else
      return isSlow(error) ? 'timed-out' : 'failed'
  }
}

/** It cost its whole deadline, or the 11 seconds that slurmrestd waits for slurmctld: do not let others wait as well. */
function isSlow({ cause, errorNumber }: SlurmError): boolean {
  return cause instanceof DeadlineError || (errorNumber !== undefined && nobodyAtHomeNumbers.includes(errorNumber))
}

/** May the same request go to another slurmrestd? Questions may; orders only if the first never got them. */
export function mayAskAnother(error: SlurmError, request: SlurmRequest): boolean {
  if (error instanceof StrangerError) return true
  if (error.failure === 'not-found' || error.failure === 'refused') return false
  return request.method === 'GET' || error.neverSent || error.failure === 'unauthorized'
}
