/**
 * What to do about a Lease: decided from what we saw and when *we* saw it. The times inside of a Lease are written by
 * the clocks of others and decide nothing, so clocks may differ by any amount.
 *
 * @module
 */
import type { LeaseRecord, StoredLease } from './lease.ts'
import type { ElectionTiming } from './timing.ts'

/** The Lease as we saw it last. */
export interface Sighting {
  readonly lease: StoredLease | undefined
  /** Our monotonic clock when it first looked like this. */
  readonly sinceMs: number
  /** It was there and somebody deleted it. Perhaps it had a holder, and perhaps that one does not know yet. */
  readonly vanished: boolean
}

/** What to do next. */
export type Move =
  | { readonly kind: 'create'; readonly record: LeaseRecord }
  | { readonly kind: 'update'; readonly record: LeaseRecord; readonly version: string }
  | { readonly kind: 'wait'; readonly untilMs: number; readonly holder: string }

/** Who we are and what time it is. */
export interface Self {
  readonly identity: string
  /** We are the leader, without a doubt. */
  readonly isCertain: boolean
  readonly timing: ElectionTiming
  readonly nowMs: number
  readonly wallMs: number
}

/** Take note of what the server says now. A change that is not about leading does not prolong anybody's life. */
export function see(before: Sighting | undefined, lease: StoredLease | undefined, nowMs: number): Sighting {
  if (before === undefined) return { lease, sinceMs: nowMs, vanished: false }
  if (lease === undefined) {
    if (before.lease === undefined) return before
    return { lease, sinceMs: nowMs, vanished: true }
  }
  const isSame = before.lease !== undefined && isSameRecord(before.lease.record, lease.record)
  return { lease, sinceMs: isSame ? before.sinceMs : nowMs, vanished: false }
}

/** The next move of somebody who leads, or would like to. */
export function planMove({ lease, sinceMs, vanished }: Sighting, self: Self): Move {
  const { identity, isCertain, timing, nowMs } = self
  if (lease === undefined) {
    const untilMs = vanished && !isCertain ? sinceMs + timing.leaseMs : nowMs
    if (nowMs < untilMs) return { kind: 'wait', untilMs, holder: '' }
    return { kind: 'create', record: recordOf(self, undefined) }
  }
  const { holder, durationSeconds } = lease.record
  const isFree = holder === '' || holder === identity
  const untilMs = sinceMs + (durationSeconds > 0 ? durationSeconds * 1000 : timing.leaseMs)
  if (!isFree && nowMs < untilMs) return { kind: 'wait', untilMs, holder }
  return { kind: 'update', record: recordOf(self, lease.record), version: lease.version }
}

/** The record that gives the Lease up, so that the next one need not wait. */
export function releasedRecord(before: LeaseRecord, wallMs: number): LeaseRecord {
  return { ...before, holder: '', durationSeconds: 1, renewedAtMs: wallMs }
}

function recordOf({ identity, timing, wallMs }: Self, before: LeaseRecord | undefined): LeaseRecord {
  const isOurs = before?.holder === identity
  return {
    holder: identity,
    durationSeconds: Math.ceil(timing.leaseMs / 1000),
    acquiredAtMs: isOurs ? before.acquiredAtMs : wallMs,
    renewedAtMs: wallMs,
    transitions: before === undefined ? 0 : before.transitions + (isOurs ? 0 : 1),
  }
}

function isSameRecord(one: LeaseRecord, other: LeaseRecord): boolean {
  return (
    one.holder === other.holder &&
    one.renewedAtMs === other.renewedAtMs &&
    one.acquiredAtMs === other.acquiredAtMs &&
    one.transitions === other.transitions &&
    one.durationSeconds === other.durationSeconds
  )
}
