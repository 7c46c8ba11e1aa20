/**
 * Workers that run and that Slurm does not know, or refuses: a new slurmd joins where the old one will not.
 *
 * A list that lost nodes looks the same as nodes that are lost, so nothing is done in a hurry, nothing to many at a
 * time, and if most of them are missing at once we wait much longer: then it is Slurm that has a problem.
 *
 * @module
 */
import { hasJoined } from './picture-worker.ts'
import type { Picture, Worker } from './picture.ts'
import { allowedUnavailable, isAvailable } from './plan-budget.ts'
import type { Condemnation } from './plan-condemnation.ts'
import { MANY_MISSING_MS, mayGo, UNREGISTERED_GRACE_MS } from './plan-release.ts'
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
  const missing = ready.filter(({ slurmNode, joinedAs }) => slurmNode.kind === 'absent' && joinedAs === undefined)
  if (missing.length === 0) return { leaving: [], waits: [] }
  const many = isSuspicious(picture, ready, missing)
  const patienceMs = many ? MANY_MISSING_MS : UNREGISTERED_GRACE_MS
  const budget = Math.max(0, (many ? 1 : allowedUnavailable(wanted, startable)) - unavailable)
  const overdue = missing.filter(
    (worker) => missingForMs(worker, nowMs) >= patienceMs && mayGo(worker, picture).answer === 'yes',
  )
  const leaving = overdue.slice(0, budget)
  return {
    leaving: leaving.map(notRegistered),
    waits: missing.filter((worker) => !leaving.includes(worker)).map((worker) => waitFor(worker, many)),
  }
}

/** Slurm lists nothing at all, or most of those that it knew are gone. */
function isSuspicious({ slurmList }: Picture, ready: readonly Worker[], missing: readonly Worker[]): boolean {
  if (slurmList === undefined || slurmList.nodes === 0) return true
  const vanished = missing.filter(hasJoined).length
  return vanished > 1 && vanished * 2 > ready.length
}

function missingForMs({ slurmNode, readySinceMs }: Worker, nowMs: number): number {
  const absentSinceMs = slurmNode.kind === 'absent' ? slurmNode.sinceMs : nowMs
  return nowMs - Math.max(absentSinceMs, typeof readySinceMs === 'number' ? readySinceMs : 0)
}

function notRegistered(worker: Worker): Condemnation {
  const because = `it is ready, and Slurm does not know ${worker.slurmName}`
  return { worker, reason: 'NotRegistered', because, event: { type: 'Warning', reason: 'SlurmNodeNotRegistered' } }
}

function waitFor(worker: Worker, many: boolean): Wait {
  const { pod, slurmName, slurmNode } = worker
  const because = many
    ? `Slurm does not list ${slurmName} nor many others: look at slurmctld`
    : `${slurmName} has not registered with Slurm`
  return {
    ...{ worker: pod, reason: 'NotRegistered', because, lookAgainInMs: LOOK_AGAIN_MS },
    sinceMs: slurmNode.kind === 'absent' ? slurmNode.sinceMs : undefined,
  }
}
