/**
 * One plan per pass. Who comes and who leaves is decided once, for all reasons together; everything else follows from
 * it worker by worker. Pure: the same picture always gives the same plan, and a settled one gives no steps.
 *
 * @module
 */
import { isVacant } from '@slurm-operator/slurm'
import type { Picture, Worker } from './picture.ts'
import { planClaims } from './plan-claims.ts'
import { isScaleIn, type Condemnation, type Leaving } from './plan-condemnation.ts'
import { planCordon } from './plan-cordon.ts'
import { planCreation } from './plan-create.ts'
import { drainsFirst, planDrainFinalizer } from './plan-finalizers.ts'
import { deletionSteps, planFarewell, pruneStep, registersAnew, type Farewell } from './plan-leave.ts'
import { planLooks } from './plan-looks.ts'
import { findNameConflict } from './plan-name-conflict.ts'
import { planPodConditions, planPodPatch, planUnprotection } from './plan-pod-marks.ts'
import { planPruning } from './plan-prune.ts'
import { planRecord } from './plan-record.ts'
import { planRemoval, planReservation, RESERVATION_LOOK_MS } from './plan-reservation.ts'
import { decideWhoLeaves } from './plan-who-leaves.ts'
import { planRevisions } from './revisions.ts'
import type { Plan, Problem, Step } from './steps.ts'

/** See the module. */
export function planNodeSet(picture: Picture): Plan {
  return picture.wanted.deletedAtMs === undefined ? planLife(picture) : planEnd(picture)
}

function planLife(picture: Picture): Plan {
  const { wanted, workers, before } = picture
  const revisions = planRevisions({
    facts: picture.revisions,
    nodeSetName: wanted.name,
    collisionCount: before.collisionCount,
    historyLimit: wanted.revisionHistoryLimit,
    hashesInUse: new Set(workers.map(({ revisionHash }) => revisionHash)),
  })
  const hash = revisions.revisionHash
  const decision = decideWhoLeaves(picture, hash)
  const farewell = planFarewell(picture, decision.leaving, decision.deletableAvailable, hash)
  const care = planWorkers(picture, decision.leaving, farewell)
  const creation = planCreation(picture, decision.missing, hash)
  const reservation = planReservation(picture, decision.desired)
  const steps = [
    ...(isReadable(picture) ? revisions.steps : []),
    ...planShared(picture),
    ...planDrainFinalizer(picture),
    ...planOwnership(picture),
    ...care.steps, // the ones that stay come back to service before new ones are made
    ...creation.steps,
    ...care.deletions,
    ...planPruning(picture),
    ...reservation.steps,
  ]
  const waits = [...decision.waits, ...farewell.waits, ...creation.waits, ...reservation.waits]
  return {
    ...{ steps, waits, revisionHash: hash, collisionCount: revisions.collisionCount, desired: decision.desired },
    problems: [...decision.problems, ...care.problems, ...creation.problems, ...reservation.problems],
    reservationStartsAtMs: reservation.madeForMs,
    ...planLooks(picture, waits, hash),
  }
}

/** A template that no pod can be built from is not recorded: it may not even be one that the API server can store. */
function isReadable({ template }: Picture): boolean {
  return template.kind === 'built' || template.reason !== 'InputsUnreadable'
}

/** The NodeSet is being deleted: only its finalizers matter, and its workers if it asked to drain them. */
function planEnd(picture: Picture): Plan {
  const { workers, before } = picture
  const living = drainsFirst(picture) ? workers.filter(({ terminating }) => !terminating) : []
  const because = 'the NodeSet is being deleted'
  const leaving: Leaving = new Map(living.map((worker) => [worker.uid, { worker, reason: 'NodeSetDeleted', because }]))
  const farewell = planFarewell(picture, leaving, 0, '')
  const care = planWorkers({ ...picture, workers: living }, leaving, farewell)
  const removal = planRemoval(picture)
  const waits = [...farewell.waits, ...removal.waits]
  const looks = [
    ...waits.map(({ lookAgainInMs }) => lookAgainInMs),
    ...removal.steps.map(() => RESERVATION_LOOK_MS), // or a Slurm that refuses for long would be asked every quarter of an hour
  ]
  return {
    steps: [...care.steps, ...care.deletions, ...removal.steps, ...planDrainFinalizer(picture)],
    waits,
    problems: care.problems,
    lookAgainInMs: looks.length === 0 ? undefined : Math.min(...looks),
    hurrySlurm: farewell.waits.length > 0,
    ...{
      revisionHash: before.nodeSetHash,
      collisionCount: before.collisionCount,
      desired: 0,
      reservationStartsAtMs: undefined,
    },
  }
}

interface Care {
  readonly steps: readonly Step[]
  readonly deletions: readonly Step[]
  readonly problems: readonly Problem[]
}

/** Everything about the workers one by one. */
function planWorkers(picture: Picture, leaving: Leaving, farewell: Farewell): Care {
  const steps: Step[] = []
  const deletions: Step[] = []
  const problems: Problem[] = []
  for (const worker of picture.workers) {
    const conflict = findNameConflict(picture.wanted, worker)
    if (worker.terminating) {
      steps.push(...(conflict ? [] : planLastRecord(picture, worker)))
      continue
    }
    const goodbye = farewell.deleted.get(worker.uid)
    const claims = planClaims(picture, worker, goodbye !== undefined && isScaleIn(goodbye.condemnation))
    problems.push(...claims.problems, ...(conflict ? [conflict] : []))
    if (goodbye) deletions.push(...claims.steps, ...deletionSteps(picture, goodbye.condemnation, goodbye.because))
    else
      steps.push(...claims.steps.map(aside(worker)), ...planStaying(picture, worker, leaving.get(worker.uid), conflict))
  }
  return { steps, deletions, problems }
}

/** A claim that the server refuses must not keep a worker from being drained, or protected; only a deletion waits for it. */
function aside({ pod }: Worker): (step: Step) => Step {
  return (step) => ({ ...step, chain: `claims/${pod}` })
}

function planStaying(
  picture: Picture,
  worker: Worker,
  condemnation: Condemnation | undefined,
  conflict: Problem | undefined,
): Step[] {
  const cordon = planCordon(picture, worker, condemnation)
  const marks = planPodPatch(picture, worker, cordon)
  // Only a pod that we do not know yet can have a cordon to take over: first the mark, in the next pass that we know it.
  const notes = cordon.isTakeOver ? [] : planPodConditions(worker)
  if (conflict) return [...marks, ...notes] // what we tell Slurm of this name another worker would hear
  return [
    ...marks,
    ...cordon.steps,
    ...planUnprotection(picture, worker, cordon),
    ...notes,
    ...planRecord(picture, worker),
  ]
}

/** The record of a worker that is on its way out, if its successor registers with other values. */
function planLastRecord(picture: Picture, worker: Worker): Step[] {
  const { slurmNode, slurmName } = worker
  if (!registersAnew(picture, worker) || isVacant(slurmNode) !== 'yes') return []
  return [pruneStep(worker, `slurm/${slurmName}/record`)]
}

function planOwnership({ workers, strayPods }: Picture): Step[] {
  const orphans = workers.filter(({ isOrphan, terminating }) => isOrphan && !terminating)
  return [
    ...orphans.map(({ pod, uid }): Step => {
      const because = 'it is a worker of this NodeSet and nobody owns it'
      return { do: 'adopt-pod', pod, uid, chain: `pod/${pod}`, reason: 'Orphan', because }
    }),
    ...strayPods.map(({ pod, uid }): Step => {
      const because = 'its labels do not match any more'
      return { do: 'release-pod', pod, uid, chain: `pod/${pod}`, reason: 'NoMatch', because }
    }),
  ]
}

function planShared({ shared }: Picture): Step[] {
  return shared.flatMap(({ what, state }): Step[] => {
    if (state === 'current') return []
    const common = { what, chain: `shared/${what}`, because: `the ${what} is ${state}` }
    if (state === 'unwanted') return [{ do: 'delete-shared', ...common, reason: 'Unwanted' }]
    return [{ do: 'apply-shared', ...common, reason: state === 'missing' ? 'Missing' : 'Different' }]
  })
}
