/**
 * What Slurm and Kubernetes tell about a worker, noted on its pod: one patch of labels and annotations, one of
 * conditions. While Slurm is silent the notes stay as they are.
 *
 * @module
 */
import { annotationKeys, labelKeys, podNodeStates, podStateCondition, POD_STATE_PREFIX, YES } from '@slurm-operator/api'
import { whyInvalidLabelValue } from '@slurm-operator/kube'
import { isBusy, isDown, isVacant, sameTopology, some, type Answer, type NodeStateWord } from '@slurm-operator/slurm'
import { RAN_JOBS, REGISTERED_CONDITION } from './picture-keys.ts'
import { hasJoined, wasBusy } from './picture-worker.ts'
import type { Picture, Worker } from './picture.ts'
import type { CordonPlan } from './plan-cordon.ts'
import { patchDeadline } from './plan-deadlines.ts'
import { slurmWordOn } from './plan-leave.ts'
import { hasSuspendedJobs, mayGo } from './plan-release.ts'
import type { MetadataPatch, Step, WantedPodCondition } from './steps.ts'

/** The labels and annotations that must change, in one patch. */
export function planPodPatch(picture: Picture, worker: Worker, cordon: CordonPlan): Step[] {
  const labels = { ...patchIdentity(picture, worker), ...patchProtection(picture, worker, cordon) }
  const notes = { ...patchDeadline(worker), ...patchTopology(picture, worker) }
  const annotations = { ...notes, ...cordon.annotations }
  if (Object.keys(labels).length + Object.keys(annotations).length === 0) return []
  const byCordon = Object.keys(cordon.annotations).length > 0
  const step: Step = {
    ...{ do: 'patch-pod', pod: worker.pod, uid: worker.uid, labels, annotations, chain: `pod/${worker.pod}` },
    reason: byCordon ? cordon.reason : 'NotesChanged',
    because: byCordon ? cordon.because : 'what is noted on the pod has changed',
  }
  return [cordon.event ? { ...step, event: cordon.event } : step]
}

/** Who it is. The host name is the one by which Slurm knows it. */
function patchIdentity({ wanted }: Picture, worker: Worker): MetadataPatch {
  if (worker.mode !== wanted.scalingMode) return {}
  const { pod, ordinalText, slurmName } = worker
  const identity = {
    [labelKeys.podName]: pod,
    [labelKeys.podHostname]: slurmName,
    ...(worker.mode === 'StatefulSet' && ordinalText !== undefined && { [labelKeys.podIndex]: ordinalText }),
  }
  return differences(worker.labels, identity)
}

/** Who runs jobs, or may get some, is kept from being evicted. */
function patchProtection(picture: Picture, worker: Worker, cordon: CordonPlan): MetadataPatch {
  const { labels } = worker
  const key = labelKeys.podProtect
  switch (needsProtection(picture, worker, cordon)) {
    case 'yes':
      return labels[key] === YES ? {} : { [key]: YES }
    case 'no':
      return key in labels ? { [key]: null } : {}
    case 'unknown':
      return {} // better protected for nothing than evicted with a job
  }
}

function needsProtection(picture: Picture, worker: Worker, cordon: CordonPlan): Answer {
  switch (picture.wanted.protects) {
    case 'nobody':
      return 'no'
    case 'who-runs-jobs':
      return some(hasSuspendedJobs(worker), isBusy(worker.slurmNode))
    case 'until-drained': // taken away by `planUnprotection` only
      return isLetGo(picture, worker, cordon) ? 'unknown' : 'yes'
  }
}

/** Who was protected until it is drained may be evicted when it may go, and while something keeps it drained. */
export function planUnprotection(picture: Picture, worker: Worker, cordon: CordonPlan): Step[] {
  const { pod, uid, slurmName, labels } = worker
  const isProtected = picture.wanted.protects === 'until-drained' && labelKeys.podProtect in labels
  if (!isProtected || !isLetGo(picture, worker, cordon)) return []
  const because = `${slurmName} has no work and gets none`
  const word = slurmWordOn(worker)
  return [{ do: 'unprotect-pod', pod, uid, slurmName, chain: `pod/${pod}`, reason: 'Drained', because, ...word }]
}

/** We might delete it; or it is DOWN, which somebody else may have wanted. */
function isLetGo(picture: Picture, worker: Worker, { isWanted }: CordonPlan): boolean {
  if (!isWanted) return false
  const isDownOnly = isDown(worker.slurmNode) === 'yes' && hasSuspendedJobs(worker) === 'no'
  return (isDownOnly && isVacant(worker.slurmNode) === 'yes') || mayGo(worker, picture).answer === 'yes'
}

/** The place in the topology, for the environment of the next container. `planRecord` lets it go where Slurm must first. */
function patchTopology({ kubeNodes }: Picture, { nodeName, annotations, slurmNode }: Worker): MetadataPatch {
  const node = kubeNodes.get(nodeName)
  if (node === undefined) return {}
  const key = annotationKeys.topology
  const wanted = node.annotations[key] ?? ''
  if (wanted === (annotations[key] ?? '')) return {}
  if (wanted !== '') return { [key]: wanted }
  return hasNoPlace(slurmNode) ? { [key]: null } : {}
}

/** Slurm says that this node has no place, or never tells any. */
function hasNoPlace(slurmNode: Worker['slurmNode']): boolean {
  return slurmNode.kind === 'seen' && sameTopology(slurmNode.value.topology ?? '', '')
}

/** A value that the server would refuse is left out: it would refuse all other marks with it. */
function differences(
  current: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): MetadataPatch {
  const changed = Object.entries(wanted).filter(([key, value]) => current[key] !== value)
  return Object.fromEntries(changed.filter(([, value]) => whyInvalidLabelValue(value) === undefined))
}

/** The states of the Slurm node as conditions of the pod; those that do not hold are taken away. */
export function planPodConditions(worker: Worker): Step[] {
  const { slurmNode, conditions, pod, uid, slurmName } = worker
  if (slurmNode.kind === 'unknown') return []
  if (slurmNode.kind === 'absent' && !hasJoined({ conditions })) return []
  const wanted = slurmNode.kind === 'seen' ? conditionsOf(slurmNode.value) : [vanished(worker)]
  const set = wanted.filter((one) => !conditions.some((have) => saysTheSame(have, one)))
  const isStale = (type: string): boolean =>
    type.startsWith(POD_STATE_PREFIX) && !wanted.some((one) => one.type === type)
  const remove = conditions.flatMap(({ type }) => (isStale(type) ? [type] : []))
  if (set.length + remove.length === 0) return []
  const because = `the state of ${slurmName} has changed`
  return [{ do: 'set-pod-conditions', pod, uid, set, remove, chain: `status/${pod}`, reason: 'StateChanged', because }]
}

/** The condition types by Slurm's words: `NOT_RESPONDING` is `SlurmNodeStateNotResponding`. */
const conditionTypes: readonly (readonly [NodeStateWord, string])[] = podNodeStates.map((state) => [
  state.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
  podStateCondition(state),
])

function conditionsOf({ states, reason }: { states: readonly NodeStateWord[]; reason: string }): WantedPodCondition[] {
  const present = conditionTypes.filter(([word]) => states.includes(word))
  const registered = { type: REGISTERED_CONDITION, status: 'True' as const, message: '' }
  return [...present.map(([, type]) => ({ type, status: 'True' as const, message: reason })), registered]
}

function vanished(worker: Worker): WantedPodCondition {
  return { type: REGISTERED_CONDITION, status: 'False', message: wasBusy(worker) ? RAN_JOBS : '' }
}

function saysTheSame(have: { type: string; status: string; message: string }, one: WantedPodCondition): boolean {
  return have.type === one.type && have.status === one.status && have.message === one.message
}
