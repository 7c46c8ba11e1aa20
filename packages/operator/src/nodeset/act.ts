/**
 * Carries out a plan: every step, chains in their order, many chains at once, failures collected. One worker that cannot
 * be dealt with holds up nobody else.
 *
 * Those that stay are looked after while others leave: deletions rest on what Slurm has just said, and a slow answer about
 * somebody else must not make them late. Then missing ones are made, slowly at first. What all share comes last.
 *
 * @module
 */
import { labelKeys } from '@slurm-operator/api'
import { isFailure } from '@slurm-operator/kube'
import { asError, carryOutChildren, inParallel, keyText } from '@slurm-operator/runtime'
import { recordResults } from '../component/record-events.ts'
import { FIELD_MANAGER } from '../world/trim.ts'
import { createClaim, createPod, createRevision } from './act-create.ts'
import { changeFinalizer, changeRevision, deletePod, ownClaim, ownPod, patchPod, setPodConditions } from './act-pod.ts'
import { isForChild, whyNoChildren } from './act-for-child.ts'
import { isLate } from './act-in-time.ts'
import { notesThatHold, postponeNotes } from './act-notes.ts'
import { changeNodes, changeReservation, isNodeStep, isWordKept, pruneRecord, type NodeStep } from './act-slurm.ts'
import type { Acting } from './acting.ts'
import type { SharedObject } from './picture.ts'
import { slowStart } from './plan-slow-start.ts'
import { recordSteps } from './record-step.ts'
import type { StepResult } from './step-result.ts'
import type { Plan, Step, StepOf } from './steps.ts'

/** As many as the client keeps connections open for: beyond that each burst would open new ones. */
const MOST_AT_ONCE = 8

/** See the module. Never throws. */
export async function act({ steps }: Pick<Plan, 'steps'>, at: Acting): Promise<readonly StepResult[]> {
  return actSafely(steps, { ...at, childless: await whyNoChildren(steps, at) })
}

async function actSafely(steps: readonly Step[], at: Acting): Promise<readonly StepResult[]> {
  const { now, notes } = postponeNotes(steps, at.observed.picture)
  const chains = [...Map.groupBy(now, ({ chain }) => chain).values()]
  const { creating = [], leaving = [], shared = [], staying = [] } = Object.groupBy(chains, partOf)
  const [left, stayed] = await Promise.all([runChains(leaving, at), runChains(staying, at)])
  const results = [
    ...stayed,
    ...(await runRound(notesThatHold(notes, stayed), at)),
    ...(await runSlowly(creating, at)),
    ...left,
    ...(await runChains(shared, at)),
  ]
  recordSteps(results, at)
  return results
}

function partOf(chain: readonly Step[]): 'creating' | 'leaving' | 'shared' | 'staying' {
  const wanted = new Set(chain.map((step) => step.do))
  if (wanted.has('create-pod')) return 'creating'
  if (wanted.has('delete-pod')) return 'leaving'
  return wanted.has('apply-shared') || wanted.has('delete-shared') ? 'shared' : 'staying'
}

/** So many may be refused for what they are before it seems to be the template. */
const MOST_REFUSED = 4

/**
 * One, two, four … at once. After a batch with a failure the others are left for the next pass; but a name that is wrong, or
 * somebody else's, holds up nobody: it would come first in each pass.
 */
async function runSlowly(chains: readonly (readonly Step[])[], at: Acting): Promise<StepResult[]> {
  const results: StepResult[] = []
  let next = 0
  let refused = 0
  for (const size of slowStart(chains.length)) {
    const batch = await runChains(chains.slice(next, next + size), at)
    results.push(...batch)
    next += size
    const errors = batch.flatMap((result) => (result.kind === 'failed' ? [result.error] : []))
    refused += errors.length
    if (refused > MOST_REFUSED || !errors.every(isAboutOne)) break
  }
  return [
    ...results,
    ...chains
      .slice(next)
      .flat()
      .map((step): StepResult => ({ kind: 'skipped', step })),
  ]
}

function isAboutOne(error: Error): boolean {
  return isFailure(error, 'Invalid') || isFailure(error, 'AlreadyExists')
}

/** All chains in step: the first of each, then the second … so that equal changes in Slurm become one request. */
async function runChains(chains: readonly (readonly Step[])[], at: Acting): Promise<StepResult[]> {
  const results: StepResult[] = []
  const broken = new Set<readonly Step[]>()
  const longest = Math.max(0, ...chains.map((chain) => chain.length))
  for (let index = 0; index < longest; index++) {
    const entries = chains.flatMap((chain) => {
      const step = chain[index]
      return step === undefined ? [] : [{ chain, step }]
    })
    const skipped = entries.filter(({ chain }) => broken.has(chain))
    const running = entries.filter(({ chain }) => !broken.has(chain))
    const round = await runRound(
      running.map(({ step }) => step),
      at,
    )
    const undone = new Set(round.flatMap(({ kind, step }) => (kind === 'done' ? [] : [step])))
    for (const { chain, step } of running) if (undone.has(step)) broken.add(chain)
    results.push(...round, ...skipped.map(({ step }): StepResult => ({ kind: 'skipped', step })))
  }
  return results
}

async function runRound(steps: readonly Step[], at: Acting): Promise<readonly StepResult[]> {
  const owner = keyText(at.observed.nodeSet.metadata)
  const held = steps.flatMap((step) => at.pace.findHeld(owner, step) ?? [])
  const heldSteps = new Set(held.map(({ step }) => step))
  const results = await runNow(
    steps.filter((step) => !heldSteps.has(step)),
    at,
  )
  at.pace.note(owner, results)
  return [...held, ...results]
}

async function runNow(steps: readonly Step[], at: Acting): Promise<readonly StepResult[]> {
  const nodeSteps = steps.filter((step): step is NodeStep => isNodeStep(step) && !isLate(step, at))
  const others = steps.filter((step) => !isNodeStep(step) || isLate(step, at))
  const results = await Promise.all([
    changeNodes(nodeSteps, at),
    inParallel(others, MOST_AT_ONCE, (step) => run(step, at)),
  ])
  return results.flat()
}

async function run(step: Step, at: Acting): Promise<StepResult> {
  if (isLate(step, at)) return { kind: 'late', step }
  if (at.childless !== undefined && isForChild(step)) return { kind: 'failed', step, error: at.childless }
  try {
    at.signal.throwIfAborted()
    return { kind: (await carryOut(step, at)) ?? 'done', step }
  } catch (thrown) {
    return { kind: 'failed', step, error: asError(thrown) }
  }
}

async function carryOut(step: Step, at: Acting): Promise<'done' | 'late' | 'outdated' | void> {
  switch (step.do) {
    case 'create-pod':
      return createPod(step, at)
    case 'delete-pod':
      return (await isWordKept(step, at)) ? deleteAndNote(step, at) : 'outdated'
    case 'adopt-pod':
    case 'release-pod':
      return ownPod(step, at)
    case 'patch-pod':
      return patchPod(step, at)
    case 'unprotect-pod':
      if (!(await isWordKept(step, at))) return 'outdated'
      return patchPod({ ...step, labels: { [labelKeys.podProtect]: null }, annotations: {} }, at)
    case 'set-pod-conditions':
      return setPodConditions(step, at)
    case 'create-pvc':
      return createClaim(step.claim, at)
    case 'own-pvc':
      return ownClaim(step, at)
    case 'create-revision':
      return createRevision(step, at)
    case 'renumber-revision':
    case 'adopt-revision':
    case 'delete-revision':
      return changeRevision(step, at)
    case 'prune-record':
      return pruneRecord(step, at)
    case 'create-reservation':
    case 'update-reservation':
    case 'delete-reservation':
      return changeReservation(step, at)
    case 'add-finalizer':
    case 'remove-finalizer':
      return changeFinalizer(step, at)
    case 'apply-shared':
    case 'delete-shared':
      return changeShared(step.what, at)
    case 'drain':
    case 'undrain':
    case 'resume':
    case 'update-slurm-node':
      return undefined // together with the others: see `changeNodes`
  }
}

/** One that had failed is remembered, so that the next one in its place goes later. */
async function deleteAndNote(step: StepOf<'delete-pod'>, at: Acting): Promise<'done' | 'late'> {
  const result = await deletePod(step, at)
  const { wanted, workers } = at.observed.picture
  const worker = workers.find(({ uid }) => uid === step.uid)
  if (result === 'done' && step.reason === 'PodFinished' && worker !== undefined) at.failures.note(wanted, worker)
  return result
}

/** The object was compared when the picture was made; the step of the engine says what to do. */
async function changeShared(what: SharedObject['what'], { observed, world, signal, record }: Acting): Promise<void> {
  const step = observed.shared.steps.get(what)
  if (step === undefined) return
  const { workerChildKinds: kinds, knownNoOps } = world
  const [result] = await carryOutChildren([step], {
    ...{ owner: observed.nodeSet, kinds, knownNoOps, fieldManager: FIELD_MANAGER, signal },
  })
  if (result?.kind === 'refused') throw new Error(result.step.because)
  if (result?.kind === 'failed' || result?.kind === 'invalid' || result?.kind === 'immutable') throw result.error
  if (result?.kind === 'done' && step.resource.kind === 'ConfigMap') recordResults(record, observed.nodeSet, [result])
}
