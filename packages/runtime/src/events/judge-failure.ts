import { KubeError } from '@slurm-operator/kube'

/** What to do about an Event that could not be sent. */
export type EventVerdict =
  /** The server has it: an earlier try came through. */
  | 'told'
  /** The Event has expired meanwhile: make it again. */
  | 'again'
  /** The namespace is gone or going, or we may not: nobody can help. */
  | 'quiet'
  /** The server does not accept it. */
  | 'refused'
  /** The server is in trouble. */
  | 'later'

/** Judge what the server said to a new Event, or to a new count. */
export function judgeFailure(error: unknown, what: 'create' | 'count'): EventVerdict {
  if (!(error instanceof KubeError)) return 'later'
  switch (error.reason) {
    case 'AlreadyExists':
      return what === 'create' ? 'told' : 'refused'
    case 'NotFound':
      return what === 'create' ? 'quiet' : 'again'
    case 'Forbidden':
    case 'Unauthorized':
      return 'quiet'
    case 'Invalid':
    case 'BadRequest':
    case 'MethodNotAllowed':
    case 'RequestEntityTooLarge':
      return 'refused'
    default:
      return 'later'
  }
}
