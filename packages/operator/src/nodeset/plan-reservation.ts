/**
 * The reservation of a scheduled update: made once for each start time, kept in line until its window opens, followed
 * while it is open, and not made again when it is over. What we made it for stands in `status.reservation`, so the next
 * operator knows as well.
 *
 * @module
 */
import { RESERVATION_FINALIZER, reservationName } from '@slurm-operator/api'
import { printTime } from '@slurm-operator/kube'
import { lastSeen, type ReservationWish, type SlurmReservation } from '@slurm-operator/slurm'
import type { Picture, Worker } from './picture.ts'
import {
  hasSameNodes,
  isActive,
  isAsWished,
  isRecurring,
  isSomebodyElses,
  wishFor,
  type Scheduled,
} from './plan-reservation-wish.ts'
import type { Problem, Step, Wait } from './steps.ts'

/** What to do, and what to remember. */
interface ReservationPlan {
  readonly steps: readonly Step[]
  readonly waits: readonly Wait[]
  readonly problems: readonly Problem[]
  /** The start time of the reservation that we made or have made; undefined if there is none to remember. */
  readonly madeForMs: number | undefined
}

const CHAIN = 'reservation'
const LOOK_AGAIN_MS = 10_000
const NOTHING: ReservationPlan = { steps: [], waits: [], problems: [], madeForMs: undefined }

/** Whether one is wanted or may be left. */
function mattersReservation({ wanted, before }: Pick<Picture, 'wanted' | 'before'>): boolean {
  const isScheduled = wanted.updateStrategy.type === 'ScheduledUpdate'
  return isScheduled || wanted.finalizers.includes(RESERVATION_FINALIZER) || before.reservationStartsAtMs !== undefined
}

/** See the module. */
export function planReservation(picture: Picture, desired: number): ReservationPlan {
  const { wanted, before } = picture
  const strategy = wanted.updateStrategy
  if (strategy.type !== 'ScheduledUpdate' || desired === 0) {
    if (!mattersReservation(picture)) return NOTHING
    const isOpen = picture.reservation.kind === 'unknown' // then it may still be there, and we go on remembering it
    return { ...planRemoval(picture), madeForMs: isOpen ? before.reservationStartsAtMs : undefined }
  }
  const madeForMs = before.reservationStartsAtMs
  if (picture.template.kind === 'impossible' && picture.template.reason === 'ControllerNotFound') {
    return { ...planRemoval(picture), madeForMs }
  }
  switch (picture.reservation.kind) {
    case 'unknown':
      return { ...NOTHING, madeForMs, waits: [silent('Slurm does not tell whether the reservation exists')] }
    case 'absent':
      return planAbsent(picture, strategy, madeForMs)
    case 'seen':
      return planPresent(picture, strategy, picture.reservation.value, madeForMs)
  }
}

/** The reservation must go, and the finalizer after it. Without a Controller, or without a client, nobody can tell. */
export function planRemoval({ wanted, reservation, template }: Picture): ReservationPlan {
  const hasFinalizer = wanted.finalizers.includes(RESERVATION_FINALIZER)
  const release = hasFinalizer ? [finalizerStep('remove-finalizer', 'the reservation is not needed')] : []
  const isHopeless = template.kind === 'impossible' && template.reason === 'ControllerNotFound'
  if (isHopeless || reservation.kind === 'absent') return { ...NOTHING, steps: release }
  if (reservation.kind === 'seen') {
    const because = 'there is no scheduled update any more'
    const name = reservationName(wanted.name)
    const removal: Step = { do: 'delete-reservation', name, chain: CHAIN, reason: 'NotScheduled', because }
    return { ...NOTHING, steps: [removal, ...release] }
  }
  if (!hasFinalizer) return NOTHING
  if (reservation.why === 'no-client' && wanted.deletedAtMs !== undefined) return { ...NOTHING, steps: release }
  return { ...NOTHING, waits: [silent('Slurm does not tell whether the reservation is gone')] }
}

function planAbsent(picture: Picture, strategy: Scheduled, madeForMs: number | undefined): ReservationPlan {
  const { wanted, nowMs } = picture
  const isOver = madeForMs === strategy.startsAtMs
  const flags = strategy.flags.map((flag) => flag.toUpperCase())
  const mayStart = strategy.startsAtMs >= nowMs || flags.includes('FORCE_START')
  const nodes = registeredNames(picture)
  const hasFinalizer = wanted.finalizers.includes(RESERVATION_FINALIZER)
  if (isOver || !mayStart) {
    const steps = hasFinalizer ? [finalizerStep('remove-finalizer', 'the window is over')] : []
    return { ...NOTHING, steps, madeForMs }
  }
  if (nodes.length === 0) return { ...NOTHING, madeForMs, waits: [silent('no worker has registered with Slurm yet')] }
  const because = `the update is scheduled for ${printTime(strategy.startsAtMs)}`
  const steps: Step[] = [
    ...(hasFinalizer ? [] : [finalizerStep('add-finalizer', 'the reservation must go before the NodeSet does')]),
    saveStep('create-reservation', wishFor(wanted.name, strategy, nodes), because),
  ]
  return { ...NOTHING, steps, madeForMs: strategy.startsAtMs }
}

function planPresent(
  picture: Picture,
  strategy: Scheduled,
  reservation: SlurmReservation,
  madeForMs: number | undefined,
): ReservationPlan {
  const { wanted, nowMs } = picture
  const nodes = registeredNames(picture)
  if (madeForMs === undefined && isSomebodyElses(reservation, new Set(nodes)) && nodes.length > 0) {
    return { ...NOTHING, problems: [nameTaken(reservation)] }
  }
  const finalizer = wanted.finalizers.includes(RESERVATION_FINALIZER)
    ? []
    : [finalizerStep('add-finalizer', 'the reservation must go before the NodeSet does')]
  // One that we find without remembering it is ours from before: it is left as it is and remembered.
  if (madeForMs === undefined || nodes.length === 0) {
    return { ...NOTHING, steps: finalizer, madeForMs: madeForMs ?? strategy.startsAtMs }
  }
  if (isActive(reservation, nowMs)) {
    return { ...NOTHING, steps: [...finalizer, ...followNodes(reservation, nodes)], madeForMs }
  }
  const wish = wishFor(wanted.name, strategy, nodes)
  const isMoved = madeForMs !== strategy.startsAtMs
  const isDone = !isMoved && isAsWished(reservation, wish, nodes)
  const update = isDone
    ? []
    : [saveStep('update-reservation', keepStart(wish, reservation, isMoved), 'the spec or the workers have changed')]
  return { ...NOTHING, steps: [...finalizer, ...update], madeForMs: strategy.startsAtMs }
}

/** In an open window only the nodes may change. */
function followNodes(reservation: SlurmReservation, nodes: readonly string[]): Step[] {
  if (hasSameNodes(reservation, nodes)) return []
  const { name, startsAtMs, endsAtMs, flags } = reservation
  const wish: ReservationWish = {
    ...{ name, flags, nodes },
    ...(startsAtMs !== undefined && { startsAtMs }),
    ...(endsAtMs !== undefined && { endsAtMs }),
  }
  return [saveStep('update-reservation', wish, 'workers have come or gone')]
}

/** Slurm moves a recurring reservation from window to window; only a new start in the spec moves it back. */
function keepStart(wish: ReservationWish, reservation: SlurmReservation, isMoved: boolean): ReservationWish {
  const { startsAtMs } = reservation
  const isRepeating = isRecurring(wish.flags ?? []) && isRecurring(reservation.flags)
  if (isMoved || !isRepeating || startsAtMs === undefined || startsAtMs <= (wish.startsAtMs ?? 0)) return wish
  return { ...wish, startsAtMs }
}

/** Also those that we cannot see in this moment, such as one that we have just drained: it has not left. */
function registeredNames({ workers }: Picture): string[] {
  const hasVanished = ({ slurmNode }: Worker): boolean => slurmNode.kind === 'unknown' && slurmNode.why === 'vanished'
  return workers.flatMap((worker) => (hasVanished(worker) ? [] : (lastSeen(worker.slurmNode)?.name ?? [])))
}

function finalizerStep(what: 'add-finalizer' | 'remove-finalizer', because: string): Step {
  return { do: what, finalizer: RESERVATION_FINALIZER, chain: CHAIN, reason: 'Reservation', because }
}

function saveStep(what: 'create-reservation' | 'update-reservation', wish: ReservationWish, because: string): Step {
  return { do: what, wish, chain: CHAIN, reason: 'ScheduledUpdate', because }
}

function silent(because: string): Wait {
  return { worker: '', reason: 'Reservation', because, sinceMs: undefined, lookAgainInMs: LOOK_AGAIN_MS }
}

function nameTaken({ name, nodes }: SlurmReservation): Problem {
  const because = `reservation ${name} exists for other nodes (${nodes}): a NodeSet of the same name in another namespace may have made it. Rename one of them.`
  return { reason: 'ReservationNameTaken', because, needsPerson: true }
}
