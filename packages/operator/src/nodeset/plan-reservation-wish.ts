import { reservationName, users } from '@slurm-operator/api'
import {
  readHostlist,
  sameHosts,
  writeSortedHostlist,
  type ReservationWish,
  type SlurmReservation,
} from '@slurm-operator/slurm'
import type { UpdateStrategy } from './picture.ts'

/** A strategy with a window. */
export type Scheduled = Extract<UpdateStrategy, { type: 'ScheduledUpdate' }>

const ALWAYS_FLAGS = ['MAINT', 'IGNORE_JOBS']
const RECURRING_FLAGS: ReadonlySet<string> = new Set(['HOURLY', 'DAILY', 'WEEKLY', 'WEEKDAY', 'WEEKEND'])

/** The flags of the reservation: ours, and the user's in Slurm's spelling. */
export function reservationFlags({ flags }: Scheduled): string[] {
  return [...new Set([...ALWAYS_FLAGS, ...flags.map((flag) => flag.trim().toUpperCase())])].filter(Boolean).sort()
}

/** The reservation as it should be for these Slurm nodes. */
export function wishFor(nodeSet: string, strategy: Scheduled, nodes: readonly string[]): ReservationWish {
  return {
    name: reservationName(nodeSet),
    startsAtMs: strategy.startsAtMs,
    durationInMinutes: strategy.durationInMinutes,
    flags: reservationFlags(strategy),
    users: [users.slurm.name],
    nodes: [writeSortedHostlist(nodes)],
  }
}

/** Its window is open. A reservation without an end that we can read never is. */
export function isActive({ startsAtMs, endsAtMs }: SlurmReservation, nowMs: number): boolean {
  return startsAtMs !== undefined && endsAtMs !== undefined && startsAtMs < nowMs && nowMs < endsAtMs
}

/** Its window is one of many, and Slurm moves it by itself. */
export function isRecurring(flags: readonly string[]): boolean {
  return flags.some((flag) => RECURRING_FLAGS.has(flag))
}

/** The same nodes, however they are written. */
export function hasSameNodes({ nodes }: SlurmReservation, names: readonly string[]): boolean {
  return sameHosts(nodes, writeSortedHostlist(names))
}

/** Everything that we ask for is so; what Slurm added by itself does not count. */
export function isAsWished(reservation: SlurmReservation, wish: ReservationWish, nodes: readonly string[]): boolean {
  const hasFlags = (wish.flags ?? []).every((flag) => reservation.flags.includes(flag))
  const hasUsers = (wish.users ?? []).every((user) => reservation.users.includes(user))
  return hasFlags && hasUsers && hasSameNodes(reservation, nodes)
}

/** None of its nodes is ours: a NodeSet of the same name in another namespace made it. */
export function isSomebodyElses({ nodes }: SlurmReservation, names: ReadonlySet<string>): boolean {
  const reading = readHostlist(nodes)
  const hosts = reading.kind === 'names' ? reading.names : []
  return hosts.length > 0 && !hosts.some((host) => names.has(host))
}
