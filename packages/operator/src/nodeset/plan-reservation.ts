/**
 * The reservation of a scheduled update: made once for each start time, kept in line until its window opens, followed
 * while it is open, and not made again when it is over. What we made it for stands in `status.reservation`, so the next
 * operator knows as well.
 *
 * Its name says nothing of the namespace, so a NodeSet of the same name elsewhere may have made it. Such a one is neither
 * followed nor deleted.
 *
 * @module
 */
import { RESERVATION_FINALIZER, reservationName } from '@slurm-operator/api'
import { findTime, printTime } from '@slurm-operator/kube'
import { lastSeen, type ReservationWish, type SlurmReservation } from '@slurm-operator/slurm'
import { readPodInfo } from './picture-pod-info.ts'
import type { Picture, Wanted, Worker } from './picture.ts'
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
/** How soon we look again at a reservation that is not as it should be. */
export const RESERVATION_LOOK_MS = 10_000
/** So long the deletion of a NodeSet waits for a connection to Slurm. */
const PATIENCE_MINUTES = 10
const NO_CONNECTION = 'NoConnection'
const NOTHING: ReservationPlan = { steps: [], waits: [], problems: [], madeForMs: undefined }

/** Whether one is wanted or may be left. */
function mattersReservation({ wanted, before }: Pick<Picture, 'wanted' | 'before'>): boolean {
  const isScheduled = wanted.updateStrategy.type === 'ScheduledUpdate'
  return isScheduled || hasFinalizer(wanted) || before.reservationStartsAtMs !== undefined
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
  if (hasNoController(picture)) return { ...planRemoval(picture), madeForMs }
  switch (picture.reservation.kind) {
    case 'unknown':
      return { ...NOTHING, madeForMs, waits: [silent('Slurm does not tell whether the reservation exists')] }
    case 'absent':
      return planAbsent(picture, strategy, madeForMs)
    case 'seen':
      return planPresent(picture, strategy, picture.reservation.value, madeForMs)
  }
}

/** The reservation must go, and the finalizer after it. Without a Controller nobody can tell. */
export function planRemoval(picture: Picture): ReservationPlan {
  const { wanted, reservation } = picture
  if (hasNoController(picture) || reservation.kind === 'absent') {
    return release(wanted, 'the reservation is not needed')
  }
  if (reservation.kind === 'seen') return planLeftover(picture, reservation.value)
  if (!hasFinalizer(wanted)) return NOTHING
  if (reservation.why === 'no-client' && wanted.deletedAtMs !== undefined) return planUnconnected(picture)
  return { ...NOTHING, waits: [silent('Slurm does not tell whether the reservation is gone')] }
}

/** The finalizer comes before the reservation is made, and the memory after: without both we have made none. */
function planLeftover(picture: Picture, reservation: SlurmReservation): ReservationPlan {
  const { wanted, before } = picture
  const { name, nodes } = reservation
  if (!hasFinalizer(wanted) && before.reservationStartsAtMs === undefined) return NOTHING
  if (isOfOthers(picture, reservation)) {
    return release(wanted, `reservation ${name} is for the nodes of another NodeSet (${nodes}) and is left alone`)
  }
  const because = 'there is no scheduled update any more'
  const removal: Step = { do: 'delete-reservation', name, chain: CHAIN, reason: 'NotScheduled', because }
  return { ...NOTHING, steps: [removal, ...release(wanted, 'the reservation is not needed').steps] }
}

/**
 * A NodeSet is being deleted and nothing leads to Slurm. Right after an operator has started that is so for a moment, and
 * a reservation that is forgotten then stays for ever. But a Controller without a RestApi never gets a connection, and
 * that must not hold a deletion for ever. So we wait some minutes: not from the deletion, which may have been while no
 * operator ran, but from when one found no connection, as `status.waiting` tells. A Slurm that has a connection and is
 * silent is waited for as long as it takes.
 */
function planUnconnected({ wanted, before, nowMs }: Picture): ReservationPlan {
  const name = reservationName(wanted.name)
  const line = before.waiting.find((one) => one.name === '' && one.reason === NO_CONNECTION)
  const sinceMs = findTime(line?.since) ?? nowMs
  if (nowMs - sinceMs >= PATIENCE_MINUTES * 60_000) {
    return release(wanted, `nothing leads to Slurm: if reservation ${name} is left there, delete it by hand`)
  }
  const because = `nothing leads to Slurm, where reservation ${name} may be left. After ${PATIENCE_MINUTES} minutes the NodeSet goes without looking; then delete the reservation by hand`
  return { ...NOTHING, waits: [{ ...silent(because), reason: NO_CONNECTION }] }
}

/** The NodeSet goes its own way: the finalizer goes, if it is there. */
function release(wanted: Wanted, because: string): ReservationPlan {
  return { ...NOTHING, steps: hasFinalizer(wanted) ? [finalizerStep('remove-finalizer', because)] : [] }
}

function hold(wanted: Wanted): Step[] {
  if (hasFinalizer(wanted)) return []
  return [finalizerStep('add-finalizer', 'the reservation must go before the NodeSet does')]
}

function hasFinalizer({ finalizers }: Wanted): boolean {
  return finalizers.includes(RESERVATION_FINALIZER)
}

function hasNoController({ template }: Picture): boolean {
  return template.kind === 'impossible' && template.reason === 'ControllerNotFound'
}

function planAbsent(picture: Picture, strategy: Scheduled, madeForMs: number | undefined): ReservationPlan {
  const { wanted, nowMs } = picture
  const isOver = madeForMs === strategy.startsAtMs
  const flags = strategy.flags.map((flag) => flag.toUpperCase())
  const mayStart = strategy.startsAtMs >= nowMs || flags.includes('FORCE_START')
  const nodes = registeredNames(picture)
  if (isOver || !mayStart) return { ...release(wanted, 'the window is over'), madeForMs }
  if (nodes.length === 0) return { ...NOTHING, madeForMs, waits: [silent('no worker has registered with Slurm yet')] }
  const because = `the update is scheduled for ${printTime(strategy.startsAtMs)}`
  const creation = saveStep('create-reservation', wishFor(wanted.name, strategy, nodes), because)
  return { ...NOTHING, steps: [...hold(wanted), creation], madeForMs: strategy.startsAtMs }
}

function planPresent(
  picture: Picture,
  strategy: Scheduled,
  reservation: SlurmReservation,
  madeForMs: number | undefined,
): ReservationPlan {
  const { wanted, nowMs } = picture
  if (isOfOthers(picture, reservation)) {
    // Ours is over, or theirs has taken its place: then it is made when the name is free.
    const isOver = strategy.startsAtMs <= nowMs
    return { ...NOTHING, problems: [nameTaken(reservation)], madeForMs: isOver ? madeForMs : undefined }
  }
  if (!isOurs(picture)) return { ...NOTHING, madeForMs, waits: [silent(whoseIsIt(reservation))] }
  const nodes = registeredNames(picture)
  const finalizer = hold(wanted)
  // One that we find without remembering it is ours from before: it is left as it is and remembered as it is.
  if (madeForMs === undefined || nodes.length === 0) {
    return { ...NOTHING, steps: finalizer, madeForMs: madeForMs ?? madeFor(reservation, strategy) }
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

/** It has nodes and none of ours. As long as we know none of ours, nobody can tell. */
function isOfOthers(picture: Picture, reservation: SlurmReservation): boolean {
  const names = new Set([...namesOf(picture), ...formerNames(picture)])
  return names.size > 0 && isSomebodyElses(reservation, names)
}

/**
 * Of one that may be ours by its nodes. If we know none of ours, it is with the finalizer and the memory: we remember
 * also one that is over, and the finalizer is there also when none could be made.
 */
function isOurs(picture: Picture): boolean {
  const { wanted, before } = picture
  if (namesOf(picture).length > 0 || formerNames(picture).length > 0) return true
  return hasFinalizer(wanted) && before.reservationStartsAtMs !== undefined
}

/** What it was made for, so that a start in the spec that has moved meanwhile is noticed. Slurm moves those that repeat. */
function madeFor({ flags, startsAtMs }: SlurmReservation, strategy: Scheduled): number {
  return isRecurring(flags) ? strategy.startsAtMs : (startsAtMs ?? strategy.startsAtMs)
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
function registeredNames(picture: Picture): string[] {
  const hasVanished = ({ slurmNode }: Worker): boolean => slurmNode.kind === 'unknown' && slurmNode.why === 'vanished'
  return namesOf({ ...picture, workers: picture.workers.filter((worker) => !hasVanished(worker)) })
}

/** The Slurm nodes of our workers, as last seen. One whose note names another namespace is that of a pod over there. */
function namesOf({ workers, wanted }: Pick<Picture, 'workers' | 'wanted'>): string[] {
  return workers.flatMap(({ slurmNode }) => {
    const node = lastSeen(slurmNode)
    if (node === undefined) return []
    const namespace = readPodInfo(node.comment)?.namespace ?? wanted.namespace
    return namespace === wanted.namespace ? [node.name] : []
  })
}

/** The Slurm nodes of workers that have left: a reservation from before all got other names has only these. */
function formerNames({ leftovers }: Picture): string[] {
  return (lastSeen(leftovers) ?? []).map(({ name }) => name)
}

function finalizerStep(what: 'add-finalizer' | 'remove-finalizer', because: string): Step {
  return { do: what, finalizer: RESERVATION_FINALIZER, chain: CHAIN, reason: 'Reservation', because }
}

function saveStep(what: 'create-reservation' | 'update-reservation', wish: ReservationWish, because: string): Step {
  return { do: what, wish, chain: CHAIN, reason: 'ScheduledUpdate', because }
}

function silent(because: string): Wait {
  return { worker: '', reason: 'Reservation', because, sinceMs: undefined, lookAgainInMs: RESERVATION_LOOK_MS }
}

function whoseIsIt({ name }: SlurmReservation): string {
  return `reservation ${name} exists, and whether it is ours shows when a worker has registered with Slurm`
}

function nameTaken({ name, nodes }: SlurmReservation): Problem {
  const because = `reservation ${name} exists for other nodes (${nodes}): a NodeSet of the same name in another namespace may have made it. Rename one of them.`
  return { reason: 'ReservationNameTaken', because, needsPerson: true }
}
