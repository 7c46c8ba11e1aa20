/**
 * What holds for every plan, stated in raw facts: calling our own words here would let a bug in them pass. For chosen pictures
 * and for all small ones.
 *
 * @module
 */
import { annotationKeys, labelKeys } from '@slurm-operator/api'
import { stepsThat } from './gen.ts'
import type { Picture, Worker } from './picture.ts'
import type { Plan, Step } from './steps.ts'

/** What is wrong with the plan for a picture, if anything is. */
type Law = (picture: Picture, plan: Plan) => readonly unknown[]

const WORK = ['ALLOCATED', 'MIXED', 'COMPLETING', 'ERROR', 'UNKNOWN', 'SOME_DAY']

const neverWorked = ({ wasReady, conditions }: Worker): boolean =>
  !wasReady && !conditions.some(({ type }) => type.startsWith('Slurm'))

/** The kubelet, which may be late, has started nothing, and Slurm does not know better. */
const neverStarted = ({ phase, hasStarted, nodeName, slurmNode, createdAtMs = 0 }: Worker): boolean => {
  if (hasStarted || phase !== 'Pending') return false
  const startedAtMs = slurmNode.kind === 'seen' ? (slurmNode.value.slurmdStartedAtMs ?? Infinity) : -Infinity
  return nodeName === '' || startedAtMs < createdAtMs
}

/** A list of jobs of the last minute shows none that Slurm may not count when it calls a node idle. */
function hasNoUncounted(jobs: Worker['jobs'], nowMs: number): boolean {
  if (jobs.kind !== 'seen' || nowMs - jobs.atMs > 60_000) return false
  return !jobs.value.some(({ states }) => states.includes('SUSPENDED') || states.includes('RUNNING'))
}

/** Slurm said that nothing runs and nothing will; or nothing can run, because it never came up or has ended. */
function isReleased(worker: Worker, { nowMs }: Picture): boolean {
  const { phase, slurmNode, jobs } = worker
  if (phase === 'Failed' || phase === 'Succeeded' || neverStarted(worker)) return true
  if (slurmNode.kind === 'seen') {
    const { states } = slurmNode.value
    const isDrain = states.includes('DRAIN') && !states.includes('UNDRAIN')
    const isIdle = isDrain && !WORK.some((word) => states.includes(word)) && nowMs - slurmNode.atMs <= 15_000
    return isIdle && hasNoUncounted(jobs, nowMs)
  }
  if (worker.joinedAs !== undefined) return false
  if (neverWorked(worker) && slurmNode.kind === 'unknown') return worker.runningSinceMs === undefined
  if (neverWorked(worker)) return nowMs - (worker.runningSinceMs ?? 0) >= 60_000
  const isQuiet = jobs.kind === 'seen' && jobs.value.length === 0
  return slurmNode.kind === 'absent' && isQuiet && nowMs - slurmNode.sinceMs >= 60_000
}

const isReady = ({ phase, readySinceMs, terminating }: Worker): boolean =>
  phase === 'Running' && readySinceMs !== undefined && !terminating

const isOrder = (step: Step) => step.do === 'drain' || step.do === 'undrain' || step.do === 'resume'

const nameIn = (step: Step): string => ('slurmName' in step ? step.slurmName : '')

const twice = (names: readonly string[]): readonly string[] => names.filter((name, at) => names.indexOf(name) !== at)

/** By the accident that each prevents. */
export const laws: Readonly<Record<string, Law>> = {
  'makes a plan delete a worker that Slurm has not released': (picture, plan) => {
    const deleted = stepsThat(plan, 'delete-pod').map(({ uid }) => uid)
    return picture.workers.filter((one) => deleted.includes(one.uid) && !isReleased(one, picture))
  },

  'makes a plan delete a worker, or open it to eviction, that only lists do not show, without asking Slurm by name': (
    picture,
    plan,
  ) => {
    const hidden = picture.workers.filter(
      ({ phase, hasStarted, nodeName, slurmNode }) =>
        slurmNode.kind === 'absent' &&
        (phase === 'Running' || (phase === 'Pending' && (hasStarted || nodeName !== ''))),
    )
    const names = new Map(hidden.map(({ uid, slurmName }) => [uid, slurmName]))
    return [...stepsThat(plan, 'delete-pod'), ...stepsThat(plan, 'unprotect-pod')].filter(
      ({ uid, unlistedAs }) => names.has(uid) && unlistedAs !== names.get(uid),
    )
  },

  'makes a plan delete a worker, or open it to eviction, that a list shows drained, without naming it for a last look':
    (picture, plan) => {
      const drained = picture.workers.filter(({ phase, slurmNode }) => {
        if (phase !== 'Running' || slurmNode.kind !== 'seen') return false
        const { states } = slurmNode.value
        return states.includes('DRAIN') && !states.includes('INVALID_REG') // a record that is refused goes before the pod
      })
      const names = new Map(drained.map(({ uid, slurmName }) => [uid, slurmName]))
      return [...stepsThat(plan, 'delete-pod'), ...stepsThat(plan, 'unprotect-pod')].filter(
        ({ uid, drainedAs }) => names.has(uid) && drainedAs !== names.get(uid),
      )
    },

  'makes a plan delete a pod that is on its way out already, or one of another uid, or one twice': (picture, plan) => {
    const living = picture.workers.filter(({ terminating }) => !terminating).map(({ uid }) => uid)
    const deleted = stepsThat(plan, 'delete-pod').map(({ uid }) => uid)
    return [...deleted.filter((uid) => !living.includes(uid)), ...twice(deleted)]
  },

  'makes an update delete more available workers than the budget allows': (picture, plan) => {
    const { wanted, nowMs } = picture
    const { scalingMode, updateStrategy: strategy } = wanted
    if (strategy.type !== 'RollingUpdate') return []
    const isAvailable = (one: Worker): boolean =>
      isReady(one) && one.mode === scalingMode && nowMs - Number(one.readySinceMs) >= wanted.minReadySeconds * 1000
    const deletions = stepsThat(plan, 'delete-pod')
    const ours = picture.workers.filter(isAvailable)
    const taken = deletions.filter(
      ({ uid, reason }) => (reason === 'Outdated' || reason === 'NotRegistered') && ours.some((one) => one.uid === uid),
    )
    if (taken.length === 0) return []
    const staying = ours.filter(({ uid }) => !deletions.some((one) => one.uid === uid))
    const [left, places] =
      scalingMode === 'DaemonSet'
        ? [new Set(staying.map(({ nodeName }) => nodeName)).size, plan.desired] // two on one Kube node serve one place
        : [staying.length, wanted.replicas]
    const share = { 1: 1, 2: 2, '25%': Math.ceil(places / 4), '100%': places, abc: 1 }[strategy.maxUnavailable] ?? 0
    return left >= places - Math.max(1, share) ? [] : taken
  },

  'makes a plan touch a reason that is not ours': (picture, plan) => {
    const foreign = picture.workers.flatMap(({ slurmNode, slurmName }) => {
      if (slurmNode.kind !== 'seen') return []
      const { reason } = slurmNode.value
      return reason === '' || reason.startsWith('slurm-operator: ') ? [] : [slurmName]
    })
    // Slurm refused them when they were DOWN, and does so no more: nobody else has said anything.
    const refusedBefore = picture.workers.flatMap(({ slurmNode, slurmName }) => {
      if (slurmNode.kind !== 'seen' || slurmNode.value.reason !== 'Low RealMemory') return []
      const { states } = slurmNode.value
      return states.includes('DOWN') && !states.includes('DRAIN') && !states.includes('INVALID_REG') ? [slurmName] : []
    })
    const touched = plan.steps.filter(
      (step) =>
        step.do === 'undrain' ||
        (step.do === 'resume' && !refusedBefore.includes(step.slurmName)) ||
        (step.do === 'drain' && step.drainReason !== undefined),
    )
    return touched.filter((step) => foreign.includes(nameIn(step)))
  },

  'makes a plan take something back, or forget a record, while Slurm is silent about it': (picture, plan) => {
    const silent = picture.workers
      .filter(({ slurmNode }) => slurmNode.kind !== 'seen')
      .map(({ slurmName }) => slurmName)
    const bold = plan.steps.filter(
      (step) => step.do === 'undrain' || step.do === 'resume' || step.do === 'prune-record',
    )
    return bold.filter((step) => silent.includes(nameIn(step)))
  },

  'makes a plan drain and undrain one node, or speak to it twice': (_picture, plan) =>
    twice(plan.steps.filter(isOrder).map(nameIn)),

  'makes a plan take a cordon away that a user has set': (picture, plan) =>
    stepsThat(plan, 'patch-pod').filter(({ pod, annotations }) => {
      if (annotations[annotationKeys.podCordon] !== null) return false
      const before = picture.workers.find((worker) => worker.pod === pod)?.annotations ?? {}
      return before[`${annotationKeys.podCordon}-by`] !== 'slurm-operator'
    }),

  'makes a plan give a claim to a pod unless that leaves for good in the same plan and the policy says so': (
    picture,
    plan,
  ) => {
    const leaving = stepsThat(plan, 'delete-pod').filter(({ reason }) =>
      ['ScaleIn', 'NodeGone', 'NodeNotWanted'].includes(reason),
    )
    const given = stepsThat(plan, 'own-pvc').flatMap(({ ownerReferences }) =>
      ownerReferences.filter(({ kind }) => kind === 'Pod'),
    )
    return given.filter(({ uid }) => picture.wanted.whenScaled !== 'Delete' || !leaving.some((one) => one.uid === uid))
  },

  'makes a plan open a worker to eviction that may have a job or get one, where it is protected until it is drained': (
    picture,
    plan,
  ) => {
    if (picture.wanted.protects !== 'until-drained') return []
    const opened = [
      ...stepsThat(plan, 'unprotect-pod').map(({ uid }) => uid),
      ...stepsThat(plan, 'patch-pod').flatMap(({ uid, labels }) =>
        labels[labelKeys.podProtect] === null ? [uid] : [],
      ),
    ]
    const isSafe = (worker: Worker): boolean => {
      const { slurmNode } = worker
      if (slurmNode.kind !== 'seen') return isReleased(worker, picture)
      const { states } = slurmNode.value
      const isOut = states.includes('DOWN') || (states.includes('DRAIN') && !states.includes('UNDRAIN'))
      return isReleased(worker, picture) || (isOut && !WORK.some((one) => states.includes(one)))
    }
    const returned = plan.steps.filter((step) => step.do === 'undrain' || step.do === 'resume').map(nameIn)
    return picture.workers.filter(
      (one) => opened.includes(one.uid) && (!isSafe(one) || returned.includes(one.slurmName)),
    )
  },

  'makes a plan create a pod that exists, or the same one twice': (picture, plan) => {
    const names = stepsThat(plan, 'create-pod').map(({ worker }) => worker.name ?? worker.node ?? '')
    const existing = picture.workers.map(({ pod }) => pod)
    return [...names.filter((name) => existing.includes(name)), ...twice(names)]
  },

  'makes a plan leave a condemned worker without a word about what it waits for': (picture, plan) => {
    const drained = stepsThat(plan, 'drain').filter(({ reason }) => !['KubeNodeCordoned', 'Cordon'].includes(reason))
    const waiting = new Set(plan.waits.map(({ worker }) => worker))
    return drained.filter(({ slurmName }) => {
      const worker = picture.workers.find((one) => one.slurmName === slurmName)
      return worker !== undefined && !waiting.has(worker.pod)
    })
  },
}
