import { KubeError } from '../errors/kube-error.ts'
import type { Clock } from './clock.ts'
import type { HttpRequest, Send } from './http.ts'
import { waitOrAbort } from './retry.ts'

/** At most `burst` requests at once, and `perSecond` on average. */
export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

/**
 * Hold requests back, first come, first served. Each one is told its moment when it arrives; one that would come too
 * late for its deadline fails at once and takes nobody's place.
 */
export function limitRate(send: Send, { perSecond, burst }: RateLimit, clock: Clock): Send {
  const stepMs = 1000 / perSecond
  let fullAtMs = clock.monotonic() // when the bucket will be full again
  return async (request) => {
    const nowMs = clock.monotonic()
    const startMs = Math.max(nowMs, Math.max(fullAtMs, nowMs) - (burst - 1) * stepMs)
    const delayMs = startMs - nowMs
    if (delayMs > request.timeoutMs) throw tooSlow(request, perSecond)
    fullAtMs = Math.max(fullAtMs, nowMs) + stepMs
    if (delayMs > 0) await waitOrAbort(delayMs, request, clock)
    return send({ ...request, timeoutMs: Math.max(1, request.timeoutMs - delayMs) })
  }
}

function tooSlow({ purpose }: HttpRequest, perSecond: number): KubeError {
  const detail = `our own limit of ${perSecond} requests a second leaves no room before the deadline. Raise the limit.`
  return new KubeError({ reason: 'Timeout', request: purpose, detail })
}
