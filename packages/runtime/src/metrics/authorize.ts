import { createHash } from 'node:crypto'
import type { Clock } from '@slurm-operator/kube'
import { withDeadline } from '../supervise/with-deadline.ts'
import { rememberAnswers } from './remember.ts'

/** Somebody the API server knows. */
export interface ReviewedUser {
  readonly username: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** What we ask the API server about people who want our metrics. */
export interface AccessReviews {
  /** Whose token it is; undefined: nobody's. */
  readonly reviewToken: (token: string, signal: AbortSignal) => Promise<ReviewedUser | undefined>
  /** Whether they may GET this path, which belongs to no resource. */
  readonly mayGet: (user: ReviewedUser, path: string, signal: AbortSignal) => Promise<boolean>
}

/** Whether to answer. `unknown`: the API server could not be asked. */
export type Admission = 'admitted' | 'unauthenticated' | 'forbidden' | 'unknown'

/** Decides about one request, by its Authorization header. */
export type Authorize = (authorization: string | undefined, path: string) => Promise<Admission>

/** How long answers of the API server are believed. */
const TOKEN_MS = 60_000
const NO_TOKEN_MS = 10_000
const YES_MS = 5 * 60_000
const NO_MS = 30_000
const REVIEW_TIMEOUT_MS = 10_000

/** Admit those whom the API server knows and permits to read a path. Tokens are kept as digests only. */
export function createAuthorize(
  reviews: AccessReviews,
  clock: Clock,
  onFailure: (error: unknown) => void = () => {},
): Authorize {
  const tokens = rememberAnswers<ReviewedUser | undefined>(clock, (user) =>
    user === undefined ? NO_TOKEN_MS : TOKEN_MS,
  )
  const permissions = rememberAnswers<boolean>(clock, (isAllowed) => (isAllowed ? YES_MS : NO_MS))
  const ask = <T>(what: string, question: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    withDeadline(what, { clock, withinMs: REVIEW_TIMEOUT_MS }, question)

  const admit = async (token: string, path: string): Promise<Admission> => {
    const user = await tokens.ask(digest(token), () =>
      ask('review a token', (signal) => reviews.reviewToken(token, signal)),
    )
    if (user === undefined) return 'unauthenticated'
    const may = (signal: AbortSignal) => reviews.mayGet(user, path, signal)
    const isAllowed = await permissions.ask(digest(JSON.stringify([user, path])), () => ask('review an access', may))
    return isAllowed ? 'admitted' : 'forbidden'
  }

  return async (authorization, path) => {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (token === undefined) return 'unauthenticated'
    try {
      return await admit(token, path)
    } catch (error) {
      onFailure(error)
      return 'unknown'
    }
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
