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
  /** The host of the slurmctld that decides; undefined while nobody does, or nobody can tell. */
  readonly activeController: string | undefined
  /** All of them at the last ping, in the order of `SlurmctldHost`. */
  readonly controllers: readonly ControllerHealth[]
  readonly endpoints: readonly EndpointHealth[]
}

/** One slurmctld at the last ping. */
export interface ControllerHealth {
  readonly hostname: string
  /** Its place in the configuration: a backup that has taken over is still called one. */
  readonly role: 'primary' | 'backup'
  /** A standby does, too. */
  readonly responding: boolean
  readonly status: string
  /** When that was: what happened to it since is not known. */
  readonly pingedAtMs: number
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

/** The same for users, whose times are of the machine's time of day: it is so far ahead by now. */
export function healthInWallTime(health: ConnectionHealth, aheadMs: number): ConnectionHealth {
  if (aheadMs === 0) return health
  const told = (atMs: number): number => atMs + aheadMs
  const { sinceMs, lastContactMs, lastError, controllers, endpoints } = health
  return {
    ...health,
    sinceMs: told(sinceMs),
    lastContactMs: lastContactMs === undefined ? undefined : told(lastContactMs),
    lastError: lastError && { ...lastError, atMs: told(lastError.atMs) },
    controllers: controllers.map((each) => ({ ...each, pingedAtMs: told(each.pingedAtMs) })),
    endpoints: endpoints.map(({ nextTryMs, ...each }) => {
      return { ...each, nextTryMs: nextTryMs === undefined ? undefined : told(nextTryMs) }
    }),
  }
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
    controllers: [],
  }
}

/** Somebody answered. Only a question that slurmctld itself answers proves that one of them decides. */
export function afterAnswer(
  before: HealthFacts,
  daemon: Daemon | undefined,
  { nowMs, byController }: { readonly nowMs: number; readonly byController: boolean },
): HealthFacts {
  const known = daemon && {
    slurmVersion: daemon.release,
    apiVersion: daemon.version,
    clusterName: daemon.clusterName,
  }
  const active = byController && { activeController: whoDecides(before.controllers) }
  return { ...inState(before, 'reachable', nowMs), ...known, ...active, lastContactMs: nowMs }
}

/** They were pinged. Nobody who is silent decides; who does instead is known when a question has been answered. */
export function afterPings(before: HealthFacts, pings: readonly SlurmPing[], pingedAtMs: number): HealthFacts {
  const isKnown = before.state === 'reachable'
  const controllers = pings.map(({ hostname, primary, responding, status }): ControllerHealth => {
    return { hostname, role: primary ? 'primary' : 'backup', responding, status, pingedAtMs }
  })
  const { activeController: old } = before
  const primary = controllers.find(({ role, responding }) => isKnown && role === 'primary' && responding)?.hostname
  const still = controllers.find(({ hostname, responding }) => hostname === old && responding)?.hostname
  return { ...before, controllers, activeController: primary ?? still }
}

/** A call failed, and no other slurmrestd could do it. */
export function afterFailure(before: HealthFacts, error: SlurmError, nowMs: number): HealthFacts {
  const lastError = { failure: error.failure, message: error.message, atMs: nowMs }
  const isAnswer = error.failure === 'refused' || error.failure === 'unauthorized'
  return { ...inState(before, isAnswer ? 'refused' : 'unreachable', nowMs), lastError }
}

/**
 * Who decides, given that somebody does. A standby answers pings as well, and Slurm's `primary` and `mode` tell the order
 * of the configuration only. But a primary that is back takes over from its backups; and if only one of them answers,
 * it is that one. Of several backups nobody can tell.
 */
function whoDecides(controllers: readonly ControllerHealth[]): string | undefined {
  const responding = controllers.filter((controller) => controller.responding)
  const primary = responding.find(({ role }) => role === 'primary')
  return primary?.hostname ?? (responding.length === 1 ? responding[0]?.hostname : undefined)
}

function inState(before: HealthFacts, state: ConnectionState, nowMs: number): HealthFacts {
  return before.state === state ? before : { ...before, state, sinceMs: nowMs }
}
