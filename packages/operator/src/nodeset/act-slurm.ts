/**
 * Carries out the steps about Slurm. The same change for many nodes is one request.
 *
 * @module
 */
import { DRAIN_REASON_PREFIX } from '@slurm-operator/api'
import { asError } from '@slurm-operator/runtime'
import { isSlurmFailure, type NodeUpdate, type SlurmConnection } from '@slurm-operator/slurm'
import { findObjections, isStillDrained, type Objection } from './act-after-look.ts'
import type { Acting } from './acting.ts'
import { forgetReservation } from './observe-reservation.ts'
import type { StepResult } from './step-result.ts'
import type { SlurmWord, Step, StepOf } from './steps.ts'

/** Steps that change the record of one Slurm node. */
export type NodeStep = StepOf<'drain' | 'undrain' | 'resume' | 'update-slurm-node'>
type ReservationStep = Extract<
  Step,
  { readonly do: 'create-reservation' | 'update-reservation' | 'delete-reservation' }
>

/** Whether a step is one of them. */
export function isNodeStep(step: Step): step is NodeStep {
  return step.do === 'drain' || step.do === 'undrain' || step.do === 'resume' || step.do === 'update-slurm-node'
}

/** Whether a step changes the state of a Slurm node, not only what is written about it. */
export function isStateStep(step: Step): step is NodeStep {
  return isNodeStep(step) && step.do !== 'update-slurm-node'
}

/** Change many records, in as few requests as Slurm allows. */
export async function changeNodes(steps: readonly NodeStep[], at: Acting): Promise<readonly StepResult[]> {
  const groups = Map.groupBy(steps, (step) => JSON.stringify(updateFor(step)))
  const results = await Promise.all([...groups.values()].map((group) => changeGroup(group, at)))
  return results.flat()
}

async function changeGroup(steps: readonly NodeStep[], at: Acting): Promise<StepResult[]> {
  const [first] = steps
  if (first === undefined) return []
  try {
    const objections = await findObjections(steps, connectionOf(at).client, at)
    const { failed } = await connectionOf(at).client.updateNodes(
      steps.map(({ slurmName }) => slurmName).filter((name) => !objections.has(name)),
      updateFor(first),
    )
    const errors = new Map(failed.map(({ name, error }) => [name, error]))
    return steps.map((step) => resultOf(step, objections.get(step.slurmName) ?? errors.get(step.slurmName)))
  } catch (thrown) {
    const error = asError(thrown)
    return steps.map((step) => ({ kind: 'failed', step, error }))
  }
}

function resultOf(step: NodeStep, why: Objection | undefined): StepResult {
  if (why === undefined) return { kind: 'done', step }
  return why === 'changed' ? { kind: 'outdated', step } : { kind: 'failed', step, error: why }
}

function updateFor(step: NodeStep): NodeUpdate {
  switch (step.do) {
    case 'drain':
      return { state: 'DRAIN', ...(step.drainReason !== undefined && { reason: step.drainReason }) }
    case 'undrain':
      return { state: 'UNDRAIN', reason: `${DRAIN_REASON_PREFIX}${step.because}` }
    case 'resume':
      return { state: 'RESUME' }
    case 'update-slurm-node':
      return step.change
  }
}

/** Delete the record of a worker that is gone. */
export async function pruneRecord(step: StepOf<'prune-record'>, at: Acting): Promise<void> {
  const { slurmName } = step
  const objection = (await findObjections([step], connectionOf(at).client, at)).get(slurmName)
  if (objection instanceof Error) throw objection
  if (objection === 'changed')
    throw new Error(
      `Cannot delete the record of ${slurmName}: its drain has changed since the last list. We look again.`,
    )
  await unlessAbsent(connectionOf(at).client.deleteNode(slurmName))
}

/** Whether Slurm's word, on which a deletion rests, holds at this moment; throws if Slurm does not say. */
export async function isWordKept({ drainedAs, unlistedAs }: SlurmWord, at: Acting): Promise<boolean> {
  if (unlistedAs !== undefined) await confirmAbsence(unlistedAs, at)
  return drainedAs === undefined || isStillDrained(drainedAs, connectionOf(at).client, at)
}

/** Something between Slurm and us may shorten lists; an answer about this one node is Slurm's own word. */
async function confirmAbsence(slurmName: string, at: Acting): Promise<void> {
  if ((await connectionOf(at).client.findNode(slurmName)) === undefined) return
  throw new Error(
    `Cannot delete the pod of ${slurmName}: Slurm's lists do not show that node, but Slurm knows it. Jobs may run there. ` +
      'Look at slurmrestd and at what is in front of it; we ask again.',
  )
}

/** Make, change or delete the reservation. */
export async function changeReservation(step: ReservationStep, at: Acting): Promise<void> {
  const connection = connectionOf(at)
  const { client } = connection
  forgetReservation(connection, at.observed.picture.wanted.name)
  if (step.do === 'delete-reservation') return unlessAbsent(client.deleteReservation(step.name))
  return step.do === 'create-reservation' ? client.createReservation(step.wish) : client.updateReservation(step.wish)
}

/** A former leader must not change Slurm either. */
function connectionOf({ observed, world }: Acting): SlurmConnection {
  if (!world.gate.mayWrite())
    throw new Error('Cannot change Slurm: this process is not certain to be the leader any more.')
  if (observed.connection === undefined) throw new Error('Cannot change Slurm: there is no connection to it.')
  return observed.connection
}

async function unlessAbsent(call: Promise<void>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!isSlurmFailure(error, 'not-found')) throw error
  }
}
