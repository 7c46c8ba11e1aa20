/**
 * What happens to machines, and what their administrators do.
 *
 * @module
 */
import { annotationKeys } from '@slurm-operator/api'
import { nodeResource, podResource } from '@slurm-operator/kube'
import { someNode, someSeconds, undoAfter, type Happening, type Stage } from './happening.ts'

/** See the module. */
export const machineAccidents: readonly Happening[] = [
  { name: 'cordon', weight: 4, happen: cordon },
  { name: 'power cut', weight: 2, happen: cutPower },
  { name: 'new node', weight: 2, happen: addNode },
  { name: 'node removed', weight: 1, happen: removeNode },
  { name: 'taint', weight: 2, happen: taint },
  { name: 'features', weight: 1, happen: annotate },
  { name: 'crash', weight: 2, happen: crash },
  { name: 'eviction', weight: 2, happen: evict },
]

async function cordon(stage: Stage): Promise<string | undefined> {
  const node = someNode(stage)
  if (node === undefined) return undefined
  await stage.cluster.machines.cordon(node)
  undoAfter(stage, someSeconds(stage, 5, 900), () => stage.cluster.machines.uncordon(node))
  return `Kube node ${node} is cordoned`
}

function cutPower(stage: Stage): string | undefined {
  const node = someNode(stage)
  if (node === undefined) return undefined
  stage.cluster.machines.cutPower(node)
  undoAfter(stage, someSeconds(stage, 5, 900), () => stage.cluster.machines.restorePower(node))
  return `Kube node ${node} loses its power`
}

async function addNode({ cluster, random }: Stage): Promise<string | undefined> {
  const node = `node-${10 + random.below(20)}`
  if (cluster.server.find(nodeResource, { name: node }) !== undefined) return undefined
  const pool = random.pick(['gpu', 'cpu'])
  await cluster.machines.addNode(node, { pool })
  return `Kube node ${node} is new in the pool ${pool}`
}

async function removeNode(stage: Stage): Promise<string | undefined> {
  const node = someNode(stage)
  if (node === undefined || stage.cluster.server.all(nodeResource).length < 4) return undefined
  await stage.cluster.machines.removeNode(node)
  return `Kube node ${node} is removed`
}

async function taint(stage: Stage): Promise<string | undefined> {
  const node = someNode(stage)
  if (node === undefined) return undefined
  const effect = stage.random.pick(['NoSchedule', 'NoSchedule', 'NoExecute'] as const)
  await stage.cluster.machines.taint(node, { key: 'example.com/broken', effect })
  undoAfter(stage, someSeconds(stage, 5, 600), () => stage.cluster.machines.untaint(node, 'example.com/broken'))
  return `Kube node ${node} gets a taint ${effect}`
}

async function annotate(stage: Stage): Promise<string | undefined> {
  const node = someNode(stage)
  if (node === undefined) return undefined
  const value = stage.random.pick(['fast', 'fast,big', null])
  await stage.cluster.machines.annotate(node, { [annotationKeys.features]: value })
  return `Kube node ${node} gets the features ${value ?? 'none'}`
}

function someUid({ cluster, random }: Stage): { readonly uid: string; readonly name: string } | undefined {
  const all = cluster.server.all(podResource)
  return all.length === 0 ? undefined : random.pick(all).metadata
}

async function crash(stage: Stage): Promise<string | undefined> {
  const pod = someUid(stage)
  if (pod === undefined) return undefined
  await stage.cluster.machines.crash(pod.uid)
  return `slurmd crashes in pod ${pod.name}`
}

async function evict(stage: Stage): Promise<string | undefined> {
  const pod = someUid(stage)
  if (pod === undefined) return undefined
  await stage.cluster.machines.evict(pod.uid)
  return `the kubelet evicts pod ${pod.name}`
}
