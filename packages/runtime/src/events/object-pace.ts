import { defaultRetryPace, fullBucket, takeToken, type Bucket, type RetryPace } from '../queue/policy.ts'
import type { EventLimits } from './event-limits.ts'

const MOST_OBJECTS = 4_000

/** One bucket of tokens for each object: one that talks too much is not heard for a while, all others are. */
export class ObjectPace {
  readonly #pace: RetryPace
  readonly #buckets = new Map<string, Bucket>()

  constructor({ burst, everyMs }: EventLimits['perObject']) {
    this.#pace = { ...defaultRetryPace, burst, perSecond: 1000 / everyMs }
  }

  /** Whether one more Event about this object may be told now. */
  take(object: string, nowMs: number): boolean {
    const { atMs, bucket } = takeToken(this.#buckets.get(object) ?? fullBucket, nowMs, this.#pace)
    if (atMs > nowMs) return false
    this.#buckets.delete(object) // to the end of the line
    this.#buckets.set(object, bucket)
    this.#forget(nowMs)
    return true
  }

  /** Full buckets say nothing; of the others the oldest go when there are too many. */
  #forget(nowMs: number): void {
    for (const [object, { fullAtMs }] of this.#buckets) {
      if (fullAtMs > nowMs && this.#buckets.size <= MOST_OBJECTS) return
      this.#buckets.delete(object)
    }
  }
}
