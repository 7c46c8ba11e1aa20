/**
 * A circuit breaker as a value: when to leave a silent slurmrestd alone, and when to look again.
 *
 * A daemon that hangs costs each call its whole deadline, and one whose slurmctld is away costs 11 seconds. So after a
 * few failures nobody calls; after a pause one probe goes out, and only its success lets the others through again.
 *
 * @module
 */
import type { Random } from '../client/clock.ts'

/** What we think of one endpoint. */
export type Breaker =
  | { readonly kind: 'closed'; readonly failures: number } // calls go through
  | { readonly kind: 'open'; readonly untilMs: number; readonly pauses: number; readonly cause: BreakerCause } // nobody calls
  | { readonly kind: 'probing'; readonly pauses: number; readonly cause: BreakerCause } // one call is under way and decides

/** Silence may end any second; a refusal ends when somebody changes something. */
type BreakerCause = 'silence' | 'refusal'

/** How a call ended, as far as the endpoint is concerned. A refused order is a success: the endpoint works. */
export type CallOutcome = 'answered' | 'failed' | 'timed-out' | 'refused-token'

/** The numbers; tests and simulations may choose others. */
export interface BreakerPace {
  /** So many failures in a row open it; a time-out or a refused token does so at once. */
  readonly failures: number
  readonly firstPauseMs: number
  readonly longestSilenceMs: number
  readonly longestRefusalMs: number
}

/** Silence is looked into every half minute at least, a refusal every quarter of an hour. */
export const breakerPace: BreakerPace = {
  failures: 3,
  firstPauseMs: 1000,
  longestSilenceMs: 30_000,
  longestRefusalMs: 15 * 60_000,
}

/** Nothing is known against it. */
export const closedBreaker: Breaker = { kind: 'closed', failures: 0 }

/** What a caller may do now. */
export type Permission = 'call' | 'probe' | 'leave-alone'

/** May we call? `probe` goes to the first who asks after the pause, and `begin` must follow. */
export function permission(breaker: Breaker, nowMs: number): Permission {
  if (breaker.kind === 'closed') return 'call'
  if (breaker.kind === 'probing') return 'leave-alone'
  return nowMs >= breaker.untilMs ? 'probe' : 'leave-alone'
}

/** A probe goes out. */
export function beginProbe(breaker: Breaker): Breaker {
  return breaker.kind === 'open' ? { kind: 'probing', pauses: breaker.pauses, cause: breaker.cause } : breaker
}

/** What we think after a call. */
export function afterCall(breaker: Breaker, outcome: CallOutcome, at: AfterCall): Breaker {
  if (outcome === 'answered') return closedBreaker
  const pace = at.pace ?? breakerPace
  if (breaker.kind === 'open') return breaker // a straggler that began before it opened tells nothing new
  if (breaker.kind === 'closed') {
    const failures = breaker.failures + 1
    if (outcome === 'failed' && failures < pace.failures) return { kind: 'closed', failures }
  }
  const cause = outcome === 'refused-token' ? 'refusal' : 'silence'
  const pauses = breaker.kind === 'probing' && breaker.cause === cause ? breaker.pauses + 1 : 1
  return { kind: 'open', cause, pauses, untilMs: at.nowMs + pauseMs(pauses, cause, pace, at.random) }
}

/** The circumstances of the end of a call. */
export interface AfterCall {
  readonly nowMs: number
  readonly random: Random
  readonly pace?: BreakerPace
}

/** Doubles each time up to its longest; a quarter of it is chance, so that many callers do not return as one. */
function pauseMs(pauses: number, cause: BreakerCause, pace: BreakerPace, random: Random): number {
  const longest = cause === 'silence' ? pace.longestSilenceMs : pace.longestRefusalMs
  const full = Math.min(longest, pace.firstPauseMs * 2 ** Math.min(pauses - 1, 30))
  return Math.round(full * (0.75 + 0.25 * random()))
}
