import { labelKeys, nodeSetResource, withNodeSetDefaults, type NodeSetWithDefaults } from '@slurm-operator/api'
import { persistentVolumeClaimResource, podResource, type Live, type Pod } from '@slurm-operator/kube'
import { accuseLasting } from './lasting-wrongs.ts'
import type { SimulatedCluster } from './simulated-cluster.ts'
import type { Witness } from './witness.ts'
import { isFinished, livingPods, nodeSetOf, numberOf, soundNodes, targetOf } from './worker-pods.ts'

/**
 * So long may a worker be missing: news may be late, calls hang and fail; and where none does, a pass may wait for Slurm
 * before it makes a pod.
 */
const PATIENCE_MS = { troubled: 180_000, sound: 30_000 }

/** Slurm down, Kubernetes up: missing workers are made, whatever Slurm does. */
export function promiseMissingWorkers(witness: Witness) {
  const { cluster, way } = witness
  const follow = accuseLasting(witness, PATIENCE_MS[way])
  return {
    look: () => {
      const isAlive = cluster.operator().process.state() === 'running'
      const nodeSets = isAlive ? cluster.server.all(nodeSetResource).map(withNodeSetDefaults) : []
      follow(new Map(nodeSets.flatMap((nodeSet) => findMissing(cluster, nodeSet))))
    },
  }
}

/** The places that have no pod and could have one now. What was asked for just now is missing since just now. */
function findMissing(cluster: SimulatedCluster, { metadata, spec }: NodeSetWithDefaults): [string, string][] {
  const { name, uid, deletionTimestamp } = metadata
  if (deletionTimestamp !== undefined) return []
  const places = spec.scalingMode === 'DaemonSet' ? bareNodes(cluster, name) : freeNumbers(cluster, name, spec.replicas)
  const isClaimGoing = findGoingClaims(cluster, name)
  return places
    .filter((place) => !isClaimGoing(place))
    .map((place) => [`${uid} ${place}`, `NodeSet ${name} has no worker ${place}`])
}

/** The lowest numbers without a pod, as many as are missing; but for those of pods that have not ended yet. */
function freeNumbers(cluster: SimulatedCluster, nodeSet: string, replicas: number): string[] {
  const all = podsOf(cluster, nodeSet)
  const living = livingPods(cluster, nodeSet)
  const lacking = replicas - living.filter(isOf('StatefulSet')).length
  const used = new Set(living.map(({ metadata }) => numberOf(metadata.name)))
  const free = Array.from({ length: used.size + replicas }, (_, at) => at).filter((at) => !used.has(at))
  const ending = new Set(all.map(({ metadata }) => numberOf(metadata.name)))
  return free
    .slice(0, Math.max(0, lacking))
    .filter((number) => !ending.has(number))
    .map(String)
}

/** The sound Kube nodes of its pool without a pod; also one that is ending holds its Kube node until it has ended. */
function bareNodes(cluster: SimulatedCluster, nodeSet: string): string[] {
  const holding = podsOf(cluster, nodeSet)
    .filter(isOf('DaemonSet'))
    .filter((pod) => pod.metadata.deletionTimestamp === undefined || !isFinished(pod))
  const held = new Set(holding.map(targetOf))
  return soundNodes(cluster, nodeSet)
    .map(({ metadata }) => metadata.name)
    .filter((node) => !held.has(node))
}

const isOf =
  (mode: string) =>
  ({ metadata }: Live<Pod>): boolean =>
    metadata.labels?.[labelKeys.scalingMode] === mode

function podsOf({ server }: SimulatedCluster, nodeSet: string): Live<Pod>[] {
  return server.all(podResource).filter((pod) => nodeSetOf(pod) === nodeSet)
}

/** A claim is not used again while it is being deleted: its worker would wait for it, and lose it. */
function findGoingClaims({ server }: SimulatedCluster, nodeSet: string): (place: string) => boolean {
  const going = server
    .all(persistentVolumeClaimResource)
    .filter((claim) => nodeSetOf(claim) === nodeSet && claim.metadata.deletionTimestamp !== undefined)
  return (place) => {
    const ofPlace = new RegExp(`-${nodeSet}-0*${place}$`) // however many digits its number is written with
    return going.some(({ metadata }) => ofPlace.test(metadata.name))
  }
}
