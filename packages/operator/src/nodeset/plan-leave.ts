/**
 * The way out for everybody who was condemned: drain, wait for Slurm's word, delete. The drain is asked for in
 * `plan-cordon`; here is decided who may be deleted now and what the others wait for.
 *
 * @module
 */
import { ask, every, hasState, isClosedByOthers, isRefusalOnly, not, some } from '@slurm-operator/slurm'
import { counted } from '../reasons/counted.ts'
import type { Picture, Worker } from './picture.ts'
import { REGISTRATION } from './picture-keys.ts'
import { isAvailable } from './plan-budget.ts'
import { readCondemned, type Condemnation, type Leaving } from './plan-condemnation.ts'
import { hasSuspendedJobs, isFinished, mayGo, mayHaveJoined } from './plan-release.ts'
import { BURST_LIMIT } from './plan-scale.ts'
import { rankForRemoval } from './rank.ts'
import type { SlurmWord, Step, Wait } from './steps.ts'

/** Who is deleted in this plan, and who waits. */
export interface Farewell {
  readonly deleted: ReadonlyMap<string, { readonly condemnation: Condemnation; readonly because: string }>
  readonly waits: readonly Wait[]
}

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 15 * 60_000
const TURN_LOOK_MS = 10_000

/** See the module. `deletableAvailable`: how many available pods the update may take away. */
export function planFarewell(picture: Picture, leaving: Leaving, deletableAvailable: number, hash: string): Farewell {
  const deleted = new Map<string, { condemnation: Condemnation; because: string }>()
  const waits: Wait[] = []
  let turns = deletableAvailable
  const order = rankForRemoval(
    [...leaving.values()].map(({ worker }) => worker),
    hash,
  )
  for (const worker of order) {
    const condemnation = leaving.get(worker.uid)
    if (condemnation === undefined) continue
    const needsTurn = condemnation.reason === 'Outdated' && takesFromService(picture, worker)
    const held = whyHeld(picture, condemnation, { needsTurn, turns, deletions: deleted.size, hash })
    if (held) waits.push(waitOf(condemnation, held))
    else deleted.set(worker.uid, { condemnation, because: mayGo(worker, picture).because })
    if (!held && needsTurn) turns -= 1
  }
  return { deleted, waits }
}

interface Held {
  readonly reason: string
  readonly because: string
  readonly lookAgainInMs: number
}

interface Circumstances {
  readonly needsTurn: boolean
  readonly turns: number
  readonly deletions: number
  readonly hash: string
}

/** Why a condemned worker is not deleted now; undefined if it is. */
function whyHeld(
  picture: Picture,
  { worker, reason }: Condemnation,
  { needsTurn, turns, deletions, hash }: Circumstances,
): Held | undefined {
  const release = mayGo(worker, picture)
  if (release.answer !== 'yes') return release
  if (reason === 'InvalidRegistration' && isReserved(worker)) {
    const because = `Slurm keeps the record of ${worker.slurmName} while its reservation lasts`
    return { reason: 'Reserved', because, lookAgainInMs: TURN_LOOK_MS }
  }
  const isAlike = worker.revisionHash === hash // with another template the next one may work
  const pauseMs = isAlike ? pauseAfterFailure(worker, picture.nowMs) : 0
  if (pauseMs > 0) {
    const because = `it has failed ${counted(worker.failuresBefore, 'time')}, so the next try comes later`
    return { reason: 'FailedBefore', because, lookAgainInMs: pauseMs }
  }
  if (needsTurn && turns <= 0) {
    return { reason: 'NotItsTurn', because: 'as many workers as allowed are unavailable', lookAgainInMs: TURN_LOOK_MS }
  }
  if (deletions >= BURST_LIMIT) {
    return { reason: 'OthersFirst', because: 'earlier deletions are still being seen through', lookAgainInMs: 1000 }
  }
  return undefined
}

function takesFromService({ wanted, nowMs }: Picture, worker: Worker): boolean {
  return isAvailable(worker, wanted.minReadySeconds, nowMs)
}

/** The first failure is repaired at once, every further one twice as late as the one before. */
function pauseAfterFailure(worker: Worker, nowMs: number): number {
  if (!isFinished(worker) || worker.failuresBefore === 0 || worker.finishedAtMs === undefined) return 0
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (worker.failuresBefore - 1))
  return Math.max(0, worker.finishedAtMs + pauseMs - nowMs)
}

function waitOf({ worker, reason, because }: Condemnation, held: Held): Wait {
  return {
    worker: worker.pod,
    reason: held.reason,
    because: `it must leave (${reason}: ${because}), but ${held.because}`,
    sinceMs: readCondemned(worker)?.sinceMs,
    lookAgainInMs: held.lookAgainInMs,
  }
}

/** The deletion itself, and the record if the next slurmd would be refused because of it. */
export function deletionSteps(picture: Picture, { worker, reason, event }: Condemnation, because: string): Step[] {
  const chain = `pod/${worker.pod}`
  const deletion: Step = {
    ...{ do: 'delete-pod', pod: worker.pod, uid: worker.uid, chain, reason, because },
    ...(event && { event }),
  }
  const word = slurmWordOn(worker)
  if (word.unlistedAs !== undefined) return [{ ...deletion, ...word }]
  // A refused record goes first: if Slurm keeps it, a new pod would be refused as well.
  if (reason === 'InvalidRegistration') return [pruneStep(worker, chain), deletion]
  // Before the pod goes, Slurm is asked for this record once more; so it goes after the pod.
  return [{ ...deletion, ...word }, ...(registersAnew(picture, worker) ? [pruneStep(worker, chain)] : [])]
}

/** What Slurm said that lets a worker go: if it is not so any more, a job may run there. */
export function slurmWordOn(worker: Worker): SlurmWord {
  const { slurmNode, slurmName } = worker
  if (!mayHaveJoined(worker) || slurmNode.kind === 'unknown') return {}
  return slurmNode.kind === 'absent' ? { unlistedAs: slurmName } : { drainedAs: slurmName }
}

/** What slurmd registers with has changed since this pod was made, and the record is still there. */
export function registersAnew({ template, wanted }: Picture, worker: Worker): boolean {
  const before = worker.annotations[REGISTRATION]
  if (before === undefined || template.kind !== 'built' || worker.mode !== wanted.scalingMode) return false
  if (before === template.placement.registration || worker.slurmNode.kind !== 'seen') return false
  // What somebody said of it would go with the record; what Slurm itself said of a slurmd that it refuses may.
  const isRefusal = every(ask(worker.slurmNode, isRefusalOnly), not(hasState(worker.slurmNode, 'FAIL')))
  const isNobodys = some(not(isClosedByOthers(worker.slurmNode)), isRefusal)
  // With a suspended job on it Slurm would delete it all the same, and nobody would end that job or begin it anew.
  return every(isNobodys, not(hasSuspendedJobs(worker))) === 'yes' && !isReserved(worker)
}

/** Slurm keeps the records of nodes in a reservation that is active. */
function isReserved({ slurmNode }: Worker): boolean {
  return hasState(slurmNode, 'MAINTENANCE') === 'yes' || hasState(slurmNode, 'RESERVED') === 'yes'
}

/** Delete the record of a worker whose successor registers with other values. */
export function pruneStep({ slurmName }: Worker, chain: string): Step {
  const because = 'the next slurmd registers with other values, and the old record would refuse them'
  return { do: 'prune-record', slurmName, chain, reason: 'RegistrationChanged', because }
}
