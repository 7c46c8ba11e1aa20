/**
 * Workers that run and that Slurm does not know, or knows only from before: a new slurmd joins where the old one will not.
 *
 * A list that lost nodes looks the same as nodes that are lost, so nothing is done in a hurry, nothing to many at a
 * time, and if most of them are missing at once we wait much longer: then it is Slurm that has a problem.
 *
 * @module
 */
import { unlistedSinceMs } from './picture-slurmd.ts'
import { hasJoined, wasBusy } from './picture-worker.ts'
import type { Picture, Worker } from './picture.ts'
import { allowedUnavailable, isAvailable } from './plan-budget.ts'
import type { Condemnation } from './plan-condemnation.ts'
import { MANY_MISSING_MS, mayGo, UNREGISTERED_GRACE_MS, vanishedWithJobs } from './plan-release.ts'
import type { Wait } from './steps.ts'

const LOOK_AGAIN_MS = 10_000

/** Who is replaced, and who is only missing so far. */
interface Unregistered {
  readonly leaving: readonly Condemnation[]
  readonly waits: readonly Wait[]
}

/** See the module. `unavailable`: how many are out of service already. */
export function findUnregistered(
  picture: Picture,
  staying: readonly Worker[],
  startable: number,
  unavailable: number,
): Unregistered {
  const { wanted, nowMs } = picture
  const ready = staying.filter((worker) => isAvailable(worker, wanted.minReadySeconds, nowMs))
  const unlisted = ready.filter((worker) => unlistedSinceMs(worker) !== undefined)
  const missing = unlisted.filter(({ joinedAs }) => joinedAs === undefined)
  const elsewhere = unlisted.flatMap(waitElsewhere)
  if (missing.length === 0) return { leaving: [], waits: elsewhere }
  const many = isSuspicious(picture, ready, missing)
  const patienceMs = many ? MANY_MISSING_MS : UNREGISTERED_GRACE_MS
  const budget = Math.max(0, (many ? 1 : allowedUnavailable(wanted, startable)) - unavailable)
  const overdue = missing.filter(
    (worker) => missingForMs(worker, nowMs) >= patienceMs && mayGo(worker, picture).answer === 'yes',
  )
  const leaving = overdue.slice(0, budget)
  return {
    leaving: leaving.map(notRegistered),
    waits: [
      ...elsewhere,
      ...missing.filter((worker) => !leaving.includes(worker)).map((worker) => waitFor(worker, many)),
    ],
  }
}

/** Slurm lists nothing at all, or most of those that it knew are gone. */
function isSuspicious({ slurmList }: Picture, ready: readonly Worker[], missing: readonly Worker[]): boolean {
  if (slurmList === undefined || slurmList.nodes === 0) return true
  const vanished = missing.filter(hasJoined).length
  return vanished > 1 && vanished * 2 > ready.length
}

/** Ready is dated by the Kube node, whose clock may be minutes behind; that the pod is no older than it is we know from the server. */
function missingForMs(worker: Worker, nowMs: number): number {
  const { readySinceMs, createdAtMs = 0 } = worker
  const readyAtMs = typeof readySinceMs === 'number' ? readySinceMs : 0
  return nowMs - Math.max(unlistedSinceMs(worker) ?? nowMs, readyAtMs, createdAtMs)
}

function notRegistered(worker: Worker): Condemnation {
  const { slurmName, slurmNode } = worker
  const what = slurmNode.kind === 'absent' ? 'does not know' : 'knows only a former'
  const because = `it is ready, and Slurm ${what} ${slurmName}`
  return { worker, reason: 'NotRegistered', because, event: { type: 'Warning', reason: 'SlurmNodeNotRegistered' } }
}

/** It works, and we look for it under a name that Slurm does not know: only a person can tell which one is right. */
function waitElsewhere(worker: Worker): Wait[] {
  const { pod, slurmName, joinedAs } = worker
  if (joinedAs === undefined) return []
  const because = `it has joined Slurm as ${joinedAs}, not as ${slurmName}, so it is left alone: look at its host name`
  const sinceMs = unlistedSinceMs(worker)
  return [{ worker: pod, reason: 'JoinedElsewhere', because, sinceMs, lookAgainInMs: LOOK_AGAIN_MS }]
}

function waitFor(worker: Worker, many: boolean): Wait {
  const because = whyMissing(worker, many)
  const sinceMs = unlistedSinceMs(worker)
  return { worker: worker.pod, reason: 'NotRegistered', because, sinceMs, lookAgainInMs: LOOK_AGAIN_MS }
}

function whyMissing(worker: Worker, many: boolean): string {
  const { slurmName } = worker
  if (many) return `Slurm knows neither ${slurmName} nor many others as they run now: look at slurmctld`
  return wasBusy(worker) ? vanishedWithJobs(worker) : `${slurmName} has not registered with Slurm`
}
