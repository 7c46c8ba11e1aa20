/** The times of an election. */
export interface ElectionTiming {
  /** Others wait for so long after the last sign of life of the leader. */
  readonly leaseMs: number
  /** The leader stops believing in itself so long after its last success. Shorter than the lease, by what a write takes. */
  readonly renewMs: number
  /** Between two tries. */
  readonly retryMs: number
}

/** 15, 10 and 2 seconds, as all Kubernetes programs have them. */
export const defaultTiming: ElectionTiming = { leaseMs: 15_000, renewMs: 10_000, retryMs: 2_000 }

/** What makes an election unsafe; undefined: nothing. */
export function whyUnsafe({ leaseMs, renewMs, retryMs }: ElectionTiming): string | undefined {
  if (!(leaseMs > renewMs)) return 'the lease must be longer than the time to renew it, or there can be two leaders'
  if (!(renewMs > 1.2 * retryMs)) return 'the time to renew must allow for more than one try'
  return retryMs > 0 ? undefined : 'the time between two tries must be above zero'
}
