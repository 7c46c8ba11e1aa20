/**
 * What Kubernetes tells about a worker, written to its record in Slurm: which pod it is, the features of its Kube node,
 * its place in the topology. Words of others in the same fields are left alone.
 *
 * @module
 */
import { annotationKeys, KUBE_FEATURE_PREFIX } from '@slurm-operator/api'
import {
  hasState,
  readFeatures,
  replaceFeatures,
  sameFeatures,
  sameTopology,
  type SlurmNode,
} from '@slurm-operator/slurm'
import { podInfoOf, printPodInfo, readPodInfo } from './picture-pod-info.ts'
import type { KubeNode, Picture, Worker } from './picture.ts'
import { isHealthy } from './plan-budget.ts'
import type { RecordChange, Step } from './steps.ts'

/** See the module. The topology goes alone: Slurm may refuse it, and the rest should be written all the same. */
export function planRecord(picture: Picture, worker: Worker): Step[] {
  const { slurmNode } = worker
  if (slurmNode.kind !== 'seen') return []
  const node = picture.kubeNodes.get(worker.nodeName)
  const info = { ...changeComment(picture, worker, slurmNode.value), ...changeFeatures(node, slurmNode.value) }
  const topology = changeTopology(node, worker, slurmNode.value)
  return [
    ...updateStep(worker, info, 'info', 'its pod or the features of its Kube node have changed'),
    ...updateStep(worker, topology, 'topology', 'the topology of its Kube node has changed'),
    ...(topology.topology === '' ? [forgetTopology(worker)] : []),
  ]
}

/** A record that Slurm refuses gets no note: without one it is recognised as new. */
function changeComment({ wanted }: Picture, worker: Worker, { comment }: SlurmNode): RecordChange {
  if (!isHealthy(worker) || hasState(worker.slurmNode, 'INVALID_REG') !== 'no') return {}
  const text = printPodInfo(podInfoOf(wanted, worker))
  if (comment === text) return {}
  const isOurs = comment.trim() === '' || readPodInfo(comment) !== undefined
  return isOurs ? { comment: text } : {}
}

function changeFeatures(node: KubeNode | undefined, { features, activeFeatures }: SlurmNode): RecordChange {
  if (node === undefined) return {}
  const text = node.annotations[annotationKeys.features] ?? ''
  if (text === '' && ![...features, ...activeFeatures].some((one) => one.startsWith(KUBE_FEATURE_PREFIX))) return {}
  const wanted = readFeatures(text)
  const available = replaceFeatures(features, KUBE_FEATURE_PREFIX, wanted)
  const active = replaceFeatures(activeFeatures, KUBE_FEATURE_PREFIX, wanted)
  if (sameFeatures(available, features) && sameFeatures(active, activeFeatures)) return {}
  return { features: available, activeFeatures: active }
}

/** Only where the Kube node names a place, or the pod remembers that it did. */
function changeTopology(node: KubeNode | undefined, { annotations }: Worker, { topology }: SlurmNode): RecordChange {
  if (node === undefined || topology === undefined) return {}
  const key = annotationKeys.topology
  const wanted = node.annotations[key] ?? ''
  const isManaged = wanted !== '' || (annotations[key] ?? '') !== ''
  return isManaged && !sameTopology(wanted, topology) ? { topology: wanted } : {}
}

/** Because the pod remembers its place Slurm is told to forget it; so Slurm comes first, and in one chain. */
function forgetTopology({ pod, uid, slurmName }: Worker): Step {
  const annotations = { [annotationKeys.topology]: null }
  const because = 'the topology of its Kube node has been taken away, and Slurm has forgotten it'
  const chain = `slurm/${slurmName}/topology`
  return { do: 'patch-pod', pod, uid, labels: {}, annotations, chain, reason: 'NotesChanged', because }
}

function updateStep({ slurmName }: Worker, change: RecordChange, part: string, because: string): Step[] {
  if (Object.keys(change).length === 0) return []
  const chain = `slurm/${slurmName}/${part}`
  return [{ do: 'update-slurm-node', slurmName, change, chain, reason: 'RecordOutdated', because }]
}
