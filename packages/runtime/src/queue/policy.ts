/** How soon a key that failed is tried again, and how many retries there may be over all keys. */
export interface RetryPace {
  readonly firstMs: number
  readonly longestMs: number
  /** Retries over all keys: so many at once, so many a second from then on. Changes and wishes are never held back. */
  readonly perSecond: number
  readonly burst: number
}

/** 5 ms doubling up to 1000 s for each key; ten a second for all of them once the first hundred are gone. */
export const defaultRetryPace: RetryPace = { firstMs: 5, longestMs: 1_000_000, perSecond: 10, burst: 100 }

/** The pause after so many failures in a row. */
export function backOffMs(failures: number, { firstMs, longestMs }: RetryPace): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(0, failures - 1), 60))
}

/** A bucket of tokens, told by the moment at which it will be full again. */
export interface Bucket {
  readonly fullAtMs: number
}

/** A bucket nobody has taken from. */
export const fullBucket: Bucket = { fullAtMs: -Infinity }

/** Take one token: when it may be used, and the bucket afterwards. Tokens of the future can be taken too. */
export function takeToken(
  bucket: Bucket,
  nowMs: number,
  { perSecond, burst }: RetryPace,
): { readonly atMs: number; readonly bucket: Bucket } {
  const stepMs = 1000 / perSecond
  const fullAtMs = Math.max(nowMs, bucket.fullAtMs)
  return { atMs: Math.max(nowMs, fullAtMs - (burst - 1) * stepMs), bucket: { fullAtMs: fullAtMs + stepMs } }
}
