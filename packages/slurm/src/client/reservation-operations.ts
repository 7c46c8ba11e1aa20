import { SlurmError } from '../errors.ts'
import type { SlurmReservation } from '../model/reservation.ts'
import { writeBounded } from '../values/no-value.ts'
import { writeTime } from '../values/times.ts'
import { findOne, listAll, reader, type Listing, type ListOptions } from './listing.ts'
import type { Caller, SlurmRequest } from './request.ts'
import { INVALID_RESERVATION } from './slurm-error-numbers.ts'

/** A reservation as we want it. What is not named is left to Slurm, or as it was. */
export interface ReservationWish {
  readonly name: string
  readonly startsAtMs?: number
  readonly endsAtMs?: number
  readonly durationInMinutes?: number
  readonly flags?: readonly string[]
  readonly users?: readonly string[]
  readonly accounts?: readonly string[]
  /** Names or hostlists. */
  readonly nodes?: readonly string[]
  readonly partition?: string
}

/** Everything that can be done about reservations. */
export interface ReservationOperations {
  listReservations(options?: ListOptions): Promise<Listing<SlurmReservation>>
  findReservation(name: string): Promise<SlurmReservation | undefined>
  /** Needs v0.0.43. Slurm's answer only repeats the wish: read it again to see what became of it. */
  createReservation(wish: ReservationWish): Promise<void>
  /** Needs v0.0.43. */
  updateReservation(wish: ReservationWish): Promise<void>
  deleteReservation(name: string): Promise<void>
}

const reservationReader = reader<SlurmReservation>('reservations', 'reservations')
const known = { notFoundNumbers: [INVALID_RESERVATION] } as const

/** Reservation operations through any caller. Slurm creates and updates with the same request. */
export function reservationOperations(caller: Caller): ReservationOperations {
  const save = async (wish: ReservationWish): Promise<void> => {
    if (wish.name === '') throw new SlurmError('refused', 'POST /reservation', 'a reservation needs a name')
    await caller.call({ method: 'POST', path: '/reservation', body: wishBody(wish), needs: 'v0.0.43' })
  }
  return {
    listReservations: (options) => listAll(caller, '/reservations/', reservationReader, options),
    findReservation: async (name) =>
      findOne(caller, { method: 'GET', path: reservationPath(name), ...known }, reservationReader),
    createReservation: save,
    updateReservation: save,
    deleteReservation: async (name) => {
      const request: SlurmRequest = { method: 'DELETE', path: reservationPath(name), ...known }
      await caller.call(request)
    },
  }
}

function reservationPath(name: string): string {
  if (name === '') throw new Error('Cannot name a reservation: the name is empty.')
  return `/reservation/${encodeURIComponent(name)}`
}

function wishBody(wish: ReservationWish): Record<string, unknown> {
  const { name, flags, users, accounts, nodes, partition } = wish
  return {
    name,
    ...(flags && { flags }),
    ...(users && { users }),
    ...(accounts && { accounts }),
    ...(nodes && { node_list: nodes }),
    ...(partition !== undefined && { partition }),
    ...(wish.startsAtMs !== undefined && { start_time: writeTime(wish.startsAtMs) }),
    ...(wish.endsAtMs !== undefined && { end_time: writeTime(wish.endsAtMs) }),
    ...(wish.durationInMinutes !== undefined && { duration: writeBounded(wish.durationInMinutes) }),
  }
}
