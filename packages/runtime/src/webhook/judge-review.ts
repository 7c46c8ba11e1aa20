import type { Clock } from '@slurm-operator/kube'
import type { Hook } from './hook.ts'
import type { ReviewRequest } from './review.ts'
import type { MutatingVerdict } from './verdict.ts'

/** Under what conditions a review is judged. */
export interface Session {
  readonly clock: Clock
  readonly timeMs: number
  /** Ends when the API server has gone away. */
  readonly signal: AbortSignal
  readonly onFailure: (error: unknown) => void
}

/**
 * Ask the handler. Whatever it does, there is a verdict: one that throws or does not come to an end is a denial with a
 * text for people. What it threw goes to the log only, since nobody knows what is in it.
 */
export async function judgeReview(hook: Hook, request: ReviewRequest, session: Session): Promise<MutatingVerdict> {
  const late = new AbortController()
  const { promise: lateness, resolve: giveUp } = Promise.withResolvers<MutatingVerdict>()
  const cancel = session.clock.schedule(session.timeMs, () => {
    late.abort(new Error('the time of this review is over'))
    giveUp(tooLate(request, session.timeMs))
  })
  const signal = AbortSignal.any([session.signal, late.signal])
  try {
    return await Promise.race([judge(hook, request, signal, session), lateness])
  } finally {
    cancel()
  }
}

async function judge(
  hook: Hook,
  request: ReviewRequest,
  signal: AbortSignal,
  session: Session,
): Promise<MutatingVerdict> {
  try {
    const verdict: unknown = await hook.judge(request, signal)
    return isVerdict(verdict) ? verdict : broken(hook, request, session, new Error('the handler gave no verdict'))
  } catch (error) {
    return broken(hook, request, session, error)
  }
}

function broken(hook: Hook, request: ReviewRequest, session: Session, error: unknown): MutatingVerdict {
  session.onFailure(new Error(`Cannot judge review ${request.uid} on ${hook.path}.`, { cause: error }))
  return {
    allowed: false,
    code: 500,
    because: `${cannotCheck(request)}: the check itself failed. ${whatToDo(request)}`,
  }
}

function tooLate(request: ReviewRequest, timeMs: number): MutatingVerdict {
  const because = `${cannotCheck(request)}: no answer within ${timeMs / 1000} s. ${whatToDo(request)}`
  return { allowed: false, code: 504, because }
}

function cannotCheck({ kind, namespace, name }: ReviewRequest): string {
  const object = [namespace, name].filter((part) => part !== undefined).join('/')
  return `Cannot check ${kind.kind}${object === '' ? '' : ` ${object}`}`
}

function whatToDo({ uid }: ReviewRequest): string {
  return `Try again; if it stays so, look for review ${uid} in the log of the webhook.`
}

function isVerdict(value: unknown): value is MutatingVerdict {
  if (typeof value !== 'object' || value === null || !('allowed' in value)) return false
  return value.allowed === true || (value.allowed === false && 'because' in value && typeof value.because === 'string')
}
