import { KubeError } from '../errors/kube-error.ts'
import { sleep, type Clock, type Random } from './clock.ts'
import type { HttpRequest } from './http.ts'
import { planRetry, type RetryPolicy } from './plan-retry.ts'

/** What repeating needs. */
export interface RetryTools {
  readonly clock: Clock
  readonly random: Random
  readonly policy: RetryPolicy
}

/**
 * Do one request until it succeeds, must not be repeated, or its time is over. All tries share the deadline of the
 * request: `attempt` gets it with what is left.
 */
export async function withRetries<T>(
  request: HttpRequest,
  attempt: (request: HttpRequest) => Promise<T>,
  { clock, random, policy }: RetryTools,
): Promise<T> {
  const endMs = clock.monotonic() + request.timeoutMs
  for (let tries = 1; ; tries++) {
    try {
      return await attempt({ ...request, timeoutMs: Math.max(1, endMs - clock.monotonic()) })
    } catch (error) {
      if (!(error instanceof KubeError)) throw error
      const delayMs = planRetry({ method: request.method, error, tries }, policy, random)
      if (delayMs === undefined || clock.monotonic() + delayMs >= endMs) throw error
      await waitOrAbort(delayMs, request, clock)
    }
  }
}

/** Wait as part of a request: giving up is an error of that request. */
export async function waitOrAbort(delayMs: number, { signal, purpose }: HttpRequest, clock: Clock): Promise<void> {
  try {
    await sleep(clock, delayMs, signal)
  } catch (error) {
    throw new KubeError({ reason: 'Aborted', request: purpose, detail: 'the caller gave up while waiting' }, error)
  }
}
