import type { Breaker } from '../breaker/breaker.ts'
import type { Daemon } from '../client/negotiate.ts'
import type { SlurmError, SlurmFailure } from '../errors.ts'
import type { SlurmPing } from '../model/ping.ts'

/** How it stands with a connection, as one word. */
export type ConnectionState =
  | 'connecting' // nothing has been answered yet
  | 'reachable'
  | 'unreachable' // nobody answers; tried again within half a minute
  | 'refused' // somebody answers and does not accept our token, or speaks no version that we know

/** How it stands with a connection, as a value. */
export interface ConnectionHealth {
  readonly state: ConnectionState
  /** Since when it is so. */
  readonly sinceMs: number
  /** When something was last answered. */
  readonly lastContactMs: number | undefined
  readonly lastError: HealthError | undefined
  /** The release of slurmrestd, such as `26.05.5`. */
  readonly slurmVersion: string | undefined
  /** The REST version that was agreed on. */
  readonly apiVersion: string | undefined
  readonly clusterName: string | undefined
  /** The host of the slurmctld that decides, as of the last ping. */
  readonly activeController: string | undefined
  readonly endpoints: readonly EndpointHealth[]
}

/** The last thing that went wrong. */
interface HealthError {
  readonly failure: SlurmFailure
  readonly message: string
  readonly atMs: number
}

/** How it stands with one slurmrestd. */
export interface EndpointHealth {
  readonly url: string
  readonly breaker: Breaker['kind']
  /** When it will be tried again; undefined while it is in use. */
  readonly nextTryMs: number | undefined
}

/** The part of the health that events change. */
export type HealthFacts = Omit<ConnectionHealth, 'endpoints'>

/** Nothing is known yet. */
export function startingHealth(nowMs: number): HealthFacts {
  return {
    state: 'connecting',
    sinceMs: nowMs,
    lastContactMs: undefined,
    lastError: undefined,
    slurmVersion: undefined,
    apiVersion: undefined,
    clusterName: undefined,
    activeController: undefined,
  }
}

/** Somebody answered. */
export function afterAnswer(before: HealthFacts, daemon: Daemon | undefined, nowMs: number): HealthFacts {
  const known = daemon && {
    slurmVersion: daemon.release,
    apiVersion: daemon.version,
    clusterName: daemon.clusterName,
    activeController: activeController(daemon.pings),
  }
  return { ...inState(before, 'reachable', nowMs), ...known, lastContactMs: nowMs }
}

/** A call failed, and no other slurmrestd could do it. */
export function afterFailure(before: HealthFacts, error: SlurmError, nowMs: number): HealthFacts {
  const lastError = { failure: error.failure, message: error.message, atMs: nowMs }
  const isAnswer = error.failure === 'refused' || error.failure === 'unauthorized'
  return { ...inState(before, isAnswer ? 'refused' : 'unreachable', nowMs), lastError }
}

/** The first that answers, in the order of `SlurmctldHost`: a primary that is back takes over from its backups. */
export function activeController(pings: readonly SlurmPing[]): string | undefined {
  return pings.find(({ responding }) => responding)?.hostname
}

function inState(before: HealthFacts, state: ConnectionState, nowMs: number): HealthFacts {
  return before.state === state ? before : { ...before, state, sinceMs: nowMs }
}
