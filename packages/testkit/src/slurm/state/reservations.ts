/**
 * The life of reservations: announced, active, over.
 *
 * @module
 */
import { findWork } from './jobs.ts'
import type { Parts } from './parts.ts'
import type { ReservationRecord } from './records.ts'
import { refusals, type Refusal } from './refusals.ts'

const MINUTE_MS = 60_000
const WHOSE = 'Either Users/Groups, AllowedPartitions, QOS and/or Accounts must be specified.'
const YEAR_MINUTES = 365 * 24 * 60

/** A wish for a reservation: a new one, or a change of one. */
export interface ReservationOrder {
  readonly name: string
  readonly nodes: readonly string[] | undefined
  readonly flags: readonly string[] | undefined
  readonly users: readonly string[] | undefined
  readonly accounts: readonly string[] | undefined
  readonly partition: string | undefined
  readonly startsAtMs: number | undefined
  readonly endsAtMs: number | undefined
  readonly durationInMinutes: number | undefined
}

/** Why an order cannot be carried out. */
export interface ReservationRefusal extends Refusal {
  /** What is missing, in Slurm's words. */
  readonly lacks?: string
}

/** Create or change one. */
export function saveReservation(parts: Parts, order: ReservationOrder): ReservationRefusal | undefined {
  const { cluster } = parts
  const known = cluster.reservations.get(order.name)
  if (order.nodes?.some((name) => !cluster.nodes.has(name))) return refusals.nodeName
  const startsAtMs = order.startsAtMs ?? known?.startsAtMs
  if (startsAtMs === undefined) return { ...refusals.reservation, lacks: 'A start time must be given.' }
  const endsAtMs = endOf(order, startsAtMs, known)
  if (!known && (order.users ?? order.accounts) === undefined) return { ...refusals.reservation, lacks: WHOSE }
  const reservation: ReservationRecord = {
    name: order.name,
    nodes: order.nodes ?? known?.nodes ?? [],
    flags: order.flags ? [...order.flags, ...(order.nodes ? ['SPEC_NODES'] : [])] : (known?.flags ?? []),
    users: order.users ?? known?.users ?? [],
    accounts: order.accounts ?? known?.accounts ?? [],
    partition: order.partition ?? known?.partition ?? '',
    startsAtMs,
    endsAtMs,
    isActive: known?.isActive ?? false,
  }
  cluster.putReservation(reservation)
  planReservation(parts, reservation.name)
  return undefined
}

function endOf(order: ReservationOrder, startsAtMs: number, known: ReservationRecord | undefined): number {
  if (order.endsAtMs !== undefined) return order.endsAtMs
  if (order.durationInMinutes !== undefined) return startsAtMs + order.durationInMinutes * MINUTE_MS
  if (known) return order.startsAtMs === undefined ? known.endsAtMs : startsAtMs + known.endsAtMs - known.startsAtMs
  return startsAtMs + YEAR_MINUTES * MINUTE_MS
}

/** Look again when its state may be another one: at its start, which takes a moment to show, and at its end. */
export function planReservation(parts: Parts, name: string): void {
  const { cluster } = parts
  const reservation = cluster.reservations.get(name)
  if (!reservation) return
  const { pace, skewMs, nowMs } = cluster
  const look = (): void => lookAt(parts, name)
  cluster.plan(Math.max(nowMs, reservation.startsAtMs - skewMs) + pace.reservingMs, look)
  cluster.plan(Math.max(nowMs, reservation.endsAtMs - skewMs), look)
}

function lookAt(parts: Parts, name: string): void {
  const { cluster } = parts
  const reservation = cluster.reservations.get(name)
  if (!reservation) return
  if (cluster.wallMs >= reservation.endsAtMs) cluster.removeReservation(name)
  else {
    const isActive = cluster.wallMs >= reservation.startsAtMs
    if (isActive !== reservation.isActive) cluster.putReservation({ ...reservation, isActive })
  }
  findWork(parts)
}

/** Take one back. */
export function deleteReservation(parts: Parts, name: string): Refusal | undefined {
  if (!parts.cluster.reservations.has(name)) return refusals.reservation
  parts.cluster.removeReservation(name)
  findWork(parts)
  return undefined
}
