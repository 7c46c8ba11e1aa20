import { absent, seen, type Knowledge, type SlurmReservation } from '@slurm-operator/slurm'
import { aPicture, aReservation, NOW, TOMORROW, workersOf, type PictureDifferences } from './gen.ts'
import type { Picture, UpdateStrategy } from './picture.ts'
import { planNodeSet } from './plan.ts'
import type { Scheduled } from './plan-reservation-wish.ts'
import { buildNodeSetStatus } from './status.ts'
import type { Plan } from './steps.ts'

/** It holds a NodeSet until its reservation is gone. */
export const FINALIZER = 'nodeset.slinky.slurm.net/reservation'

/** A start that is long over. */
export const YESTERDAY = NOW - 24 * 3600_000

/** A scheduled update of half an hour. */
export const at = (startsAtMs: number, flags: readonly string[] = []): Scheduled => ({
  ...{ type: 'ScheduledUpdate', startsAtMs, durationInMinutes: 30, flags },
})

/** Slurm has a reservation of our name. */
export const exists = (differences: Partial<SlurmReservation> = {}): Knowledge<SlurmReservation> =>
  seen(aReservation(differences), NOW)

/** Slurm has none. */
export const gone: Knowledge<SlurmReservation> = absent(NOW)

/** What a plan about a reservation rests on. */
export interface Situation {
  readonly updateStrategy?: UpdateStrategy
  readonly reservation: Knowledge<SlurmReservation>
  readonly madeFor?: number
  readonly finalizers?: readonly string[]
  readonly more?: PictureDifferences
}

/** The same as a picture: two workers, and an update tomorrow. */
export function pictureOf({
  updateStrategy = at(TOMORROW),
  reservation,
  madeFor,
  finalizers = [FINALIZER],
  more = {},
}: Situation) {
  const { wanted, before, ...rest } = more
  return aPicture({
    ...{ workers: workersOf([0, 1]), reservation, ...rest },
    wanted: { updateStrategy, finalizers, ...wanted },
    before: { reservationStartsAtMs: madeFor, ...before },
  })
}

/** The start that `status.reservation` tells the next pass. */
export function rememberedAfter(picture: Picture, plan: Plan, failure?: string): number {
  const { reservation } = buildNodeSetStatus(picture, plan, failure).fields
  return Date.parse((reservation as { startTime: string }).startTime)
}

/** The plan from it. */
export const planFor = (situation: Situation): Plan => planNodeSet(pictureOf(situation))

/** What the status says about the reservation. */
export const conditionOf = (situation: Situation): unknown => {
  const picture = pictureOf(situation)
  const { conditions, retired } = buildNodeSetStatus(picture, planNodeSet(picture))
  const line = conditions.find(({ type }) => type === 'ReservationCreated')
  return line === undefined
    ? retired.includes('ReservationCreated')
      ? 'none'
      : 'as before'
    : [line.status, line.reason]
}
