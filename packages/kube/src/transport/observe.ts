import type { Clock } from './clock.ts'
import type { Method, Send } from './http.ts'

/** One request that has got its answer, or none: for metrics. A repeated request is told once per try. */
export interface FinishedRequest {
  readonly method: Method
  readonly host: string
  /** undefined: there was no answer. */
  readonly code: number | undefined
  /** Until the answer began. */
  readonly durationMs: number
  readonly use: 'call' | 'watch'
}

/** Tell somebody about each request. */
export function observeRequests(
  send: Send,
  host: string,
  clock: Clock,
  tell: (finished: FinishedRequest) => void,
): Send {
  return async (request) => {
    const startMs = clock.monotonic()
    const finish = (code: number | undefined) =>
      tell({ method: request.method, host, code, durationMs: clock.monotonic() - startMs, use: request.use })
    try {
      const answer = await send(request)
      finish(answer.status)
      return answer
    } catch (error) {
      finish(undefined)
      throw error
    }
  }
}
