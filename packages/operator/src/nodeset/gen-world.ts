/**
 * A helpful world: every step of a plan succeeds, and between two passes everything gets better by itself. Pods start and
 * end, jobs come to an end, Slurm answers, Kube nodes stay as they are.
 *
 * @module
 */
import { labelKeys, YES } from '@slurm-operator/api'
import { absent, seen, type Knowledge, type SlurmNode } from '@slurm-operator/slurm'
import { aKubeNode, aPendingWorker, aReservation, aSlurmNode } from './gen.ts'
import { REGISTRATION, REVISION_HASH_LABEL } from './picture-keys.ts'
import type { Claim, KubeNode, Picture, Worker } from './picture.ts'
import type { Revision } from './picture.ts'
import { buildNodeSetStatus } from './status.ts'
import type { MetadataPatch, Plan, Step, StepOf } from './steps.ts'

const BETWEEN_PASSES_MS = 3 * 60_000
const PRE_STOP_REASON = 'slurm-operator: Pod is terminating'

/** The world while steps are carried out. */
interface World {
  workers: Worker[]
  claims: Map<string, Claim>
  leftovers: SlurmNode[]
  revisions: Revision[]
  kubeNodes: Map<string, KubeNode>
  reservation: Picture['reservation']
  finalizers: string[]
  shared: Picture['shared']
  made: number
}

/** The picture after all steps of the plan and some time. */
export function carryOut(plan: Plan, picture: Picture): Picture {
  const world = worldAfter(plan, picture)
  const nowMs = picture.nowMs + BETWEEN_PASSES_MS
  passTime(world, nowMs)
  return afterwards(picture, plan, world, nowMs)
}

/** The picture right after all steps of the plan: everything else is as it was, jobs still run, pods still end. */
export function carryOutAtOnce(plan: Plan, picture: Picture): Picture {
  const { slurmList, leftovers } = picture
  return { ...afterwards(picture, plan, worldAfter(plan, picture), picture.nowMs), slurmList, leftovers }
}

function worldAfter(plan: Plan, picture: Picture): World {
  const world: World = {
    ...{ workers: [...picture.workers], claims: new Map(picture.claims), revisions: [...picture.revisions.existing] },
    ...{ leftovers: picture.leftovers.kind === 'seen' ? [...picture.leftovers.value] : [], made: picture.nowMs },
    ...{ kubeNodes: new Map(picture.kubeNodes), reservation: picture.reservation, shared: picture.shared },
    finalizers: [...picture.wanted.finalizers],
  }
  for (const step of plan.steps) doStep(world, step, picture)
  return world
}

function afterwards(picture: Picture, plan: Plan, world: World, nowMs: number): Picture {
  const { fields } = buildNodeSetStatus(picture, plan)
  const { workers, claims, kubeNodes, reservation, shared, finalizers } = world
  return {
    ...picture,
    ...{ nowMs, workers, claims, kubeNodes, reservation, shared, strayPods: [] },
    leftovers: seen(world.leftovers, nowMs),
    slurmList: { nodes: 5, atMs: nowMs, wholeAtMs: nowMs },
    revisions: { ...picture.revisions, existing: world.revisions },
    wanted: { ...picture.wanted, finalizers },
    before: {
      ...picture.before,
      ordinalToNode: (fields['ordinalToNode'] ?? {}) as Record<string, string>,
      reservationStartsAtMs: plan.reservationStartsAtMs,
      collisionCount: plan.collisionCount,
      nodeSetHash: plan.revisionHash,
    },
  }
}

function doStep(world: World, step: Step, picture: Picture): void {
  switch (step.do) {
    case 'create-pod':
      return createPod(world, step, picture)
    case 'delete-pod':
      return change(world, step.uid, () => ({ terminating: true }))
    case 'adopt-pod':
      return change(world, step.uid, () => ({ isOrphan: false }))
    case 'patch-pod':
      return change(world, step.uid, ({ labels, annotations }) => ({
        ...{ labels: patched(labels, step.labels), annotations: patched(annotations, step.annotations) },
      }))
    case 'unprotect-pod':
      return change(world, step.uid, ({ labels }) => ({ labels: patched(labels, { [labelKeys.podProtect]: null }) }))
    case 'set-pod-conditions':
      return change(world, step.uid, ({ conditions }) => {
        const types = new Set([...step.remove, ...step.set.map(({ type }) => type)])
        return { conditions: [...conditions.filter(({ type }) => !types.has(type)), ...step.set] }
      })
    case 'drain':
      return changeNode(world, step.slurmName, ({ states, reason }) => ({
        ...{ states: [...states.filter((word) => word !== 'UNDRAIN' && word !== 'DRAIN'), 'DRAIN'] },
        reason: step.drainReason ?? reason,
      }))
    case 'undrain':
      return changeNode(world, step.slurmName, ({ states }) => ({ states: without(states, 'DRAIN'), reason: '' }))
    case 'resume':
      return changeNode(world, step.slurmName, ({ states }) => ({
        ...{ states: ['IDLE', ...without(without(states, 'DOWN'), 'DRAIN')], reason: '' },
      }))
    case 'update-slurm-node':
      return changeNode(world, step.slurmName, () => step.change)
    case 'prune-record':
      world.leftovers = world.leftovers.filter(({ name }) => name !== step.slurmName)
      return changeAll(world, (worker) =>
        worker.slurmName === step.slurmName ? { slurmNode: absent(picture.nowMs) } : {},
      )
    case 'create-pvc':
      world.claims.set(step.claim.name, { name: step.claim.name, terminating: false, ownerReferences: [] })
      return
    case 'own-pvc': {
      const claim = world.claims.get(step.claim)
      if (claim) world.claims.set(step.claim, { ...claim, ownerReferences: step.ownerReferences })
      return
    }
    case 'release-pod':
      return
    default:
      return doRareStep(world, step, picture)
  }
}

function doRareStep(world: World, step: Step, { nowMs }: Picture): void {
  switch (step.do) {
    case 'create-revision':
      world.revisions.push({
        ...step,
        createdAtMs: nowMs,
        data: JSON.parse(step.json) as Revision['data'],
        owner: 'us',
      })
      return
    case 'renumber-revision':
      world.revisions = world.revisions.map((one) => (one.name === step.name ? { ...one, number: step.number } : one))
      return
    case 'adopt-revision':
      world.revisions = world.revisions.map((one) => (one.name === step.name ? { ...one, owner: 'us' } : one))
      return
    case 'delete-revision':
      world.revisions = world.revisions.filter(({ name }) => name !== step.name)
      return
    case 'create-reservation':
    case 'update-reservation': {
      const { startsAtMs, flags = [], users = [], nodes = [] } = step.wish
      world.reservation = seen(aReservation({ startsAtMs, flags, users, nodes: nodes.join(',') }), nowMs)
      return
    }
    case 'delete-reservation':
      world.reservation = absent(nowMs)
      return
    case 'add-finalizer':
      world.finalizers.push(step.finalizer)
      return
    case 'remove-finalizer':
      world.finalizers = world.finalizers.filter((one) => one !== step.finalizer)
      return
    case 'apply-shared':
    case 'delete-shared':
      world.shared = world.shared.map((one) => (one.what === step.what ? { ...one, state: 'current' } : one))
      return
    default:
      throw new Error(`Cannot carry out ${step.do}: the helpful world does not know it.`)
  }
}

function createPod(world: World, step: StepOf<'create-pod'>, picture: Picture): void {
  const { name, hostname, node, revisionHash, ordinalText, claims, isProtected } = step.worker
  const pod = name ?? `foo-x${(world.made += 1)}`
  if (world.workers.some((worker) => worker.pod === pod)) throw new Error(`Cannot create ${pod}: it exists.`)
  for (const claim of claims) {
    if (!world.claims.has(claim.name))
      world.claims.set(claim.name, { name: claim.name, terminating: false, ownerReferences: [] })
  }
  const mode = name === undefined ? 'DaemonSet' : 'StatefulSet'
  const registration = picture.template.kind === 'built' ? picture.template.placement.registration : ''
  const worker = aPendingWorker(pod, { mode, hostname, nodeName: '', targetNode: node ?? '', revisionHash })
  world.workers.push({
    ...worker,
    uid: `made-${(world.made += 1)}`,
    createdAtMs: picture.nowMs,
    slurmNode: absent(picture.nowMs),
    annotations: { [REGISTRATION]: registration },
    labels: {
      ...{ [labelKeys.podName]: name ?? '', [labelKeys.podHostname]: hostname, [labelKeys.scalingMode]: mode },
      ...(ordinalText !== undefined && { [labelKeys.podIndex]: ordinalText }),
      [REVISION_HASH_LABEL]: revisionHash,
      ...(isProtected && { [labelKeys.podProtect]: YES }),
    },
  })
}

function passTime(world: World, nowMs: number): void {
  const gone = world.workers.filter(({ terminating }) => terminating)
  world.workers = world.workers.filter(({ terminating }) => !terminating)
  for (const { uid, slurmNode } of gone) {
    if (slurmNode.kind === 'seen' && !world.workers.some(({ slurmName }) => slurmName === slurmNode.value.name)) {
      const states = ['DOWN', ...(slurmNode.value.states.includes('DRAIN') ? ['DRAIN'] : [])]
      world.leftovers.push({ ...slurmNode.value, states, reason: PRE_STOP_REASON })
    }
    for (const [name, { ownerReferences }] of world.claims) {
      if (ownerReferences.some((owner) => owner.uid === uid)) world.claims.delete(name)
    }
  }
  if (world.reservation.kind === 'unknown') world.reservation = absent(nowMs)
  world.workers = world.workers.map((worker) => liveOn(world, worker, nowMs))
}

/** A pod that has not ended comes up and joins Slurm; what runs on it comes to an end. */
function liveOn(world: World, worker: Worker, nowMs: number): Worker {
  if (worker.phase === 'Failed' || worker.phase === 'Succeeded')
    return { ...worker, slurmNode: answered(worker, nowMs) }
  const nodeName = worker.nodeName || worker.targetNode || `n-${worker.pod}`
  if (worker.nodeName === '' && !world.kubeNodes.has(nodeName)) world.kubeNodes.set(nodeName, aKubeNode(nodeName))
  const isNew = !worker.hasStarted
  return {
    ...worker,
    ...{ nodeName, targetNode: nodeName, phase: 'Running', wasReady: true, hasStarted: true },
    readySinceMs: worker.readySinceMs ?? nowMs - 1000,
    runningSinceMs: worker.runningSinceMs ?? nowMs - 1000,
    jobs: seen([], nowMs),
    slurmNode: isNew ? joined(world, worker, nowMs) : answered(worker, nowMs),
  }
}

/** A new slurmd finds the record of its predecessor, or makes one. */
function joined(world: World, { slurmName }: Worker, nowMs: number): Knowledge<SlurmNode> {
  const former = world.leftovers.find(({ name }) => name === slurmName)
  world.leftovers = world.leftovers.filter((record) => record !== former)
  return seen(former ?? aSlurmNode({ name: slurmName }), nowMs)
}

function answered({ slurmNode, slurmName, joinedAs, wasReady }: Worker, nowMs: number): Knowledge<SlurmNode> {
  if (slurmNode.kind === 'absent')
    return wasReady || joinedAs !== undefined ? slurmNode : seen(aSlurmNode({ name: slurmName }), nowMs)
  const record = slurmNode.kind === 'seen' ? slurmNode.value : (slurmNode.last ?? aSlurmNode({ name: slurmName }))
  return seen(healed(record), nowMs)
}

/** Work ends, contradictions and silence pass. What somebody decided stays. */
function healed(record: SlurmNode): SlurmNode {
  const isDrain = record.states.includes('DRAIN') && !record.states.includes('UNDRAIN')
  const isDown = record.states.includes('DOWN') && record.reason !== 'Not responding'
  const refused = record.states.includes('INVALID_REG') ? ['INVALID_REG'] : []
  const states = [isDown ? 'DOWN' : 'IDLE', ...(isDrain ? ['DRAIN'] : []), ...refused]
  return { ...record, states, reason: record.reason === 'Not responding' ? '' : record.reason }
}

function change(world: World, uid: string, how: (worker: Worker) => Partial<Worker>): void {
  changeAll(world, (worker) => (worker.uid === uid ? how(worker) : {}))
}

function changeAll(world: World, how: (worker: Worker) => Partial<Worker>): void {
  world.workers = world.workers.map((worker) => ({ ...worker, ...how(worker) }))
}

function changeNode(world: World, name: string, how: (node: SlurmNode) => Partial<SlurmNode>): void {
  changeAll(world, ({ slurmNode, slurmName }) => {
    if (slurmName !== name || slurmNode.kind !== 'seen') return {}
    return { slurmNode: { ...slurmNode, value: { ...slurmNode.value, ...how(slurmNode.value) } } }
  })
}

function patched(current: Readonly<Record<string, string>>, patch: MetadataPatch): Record<string, string> {
  const kept = Object.entries(current).filter(([key]) => !(key in patch))
  const set = Object.entries(patch).filter((entry): entry is [string, string] => entry[1] !== null)
  return Object.fromEntries([...kept, ...set])
}

function without<T>(words: readonly T[], word: T): T[] {
  return words.filter((one) => one !== word)
}
