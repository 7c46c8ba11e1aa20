/**
 * What users do with kubectl.
 *
 * @module
 */
import { annotationKeys, nodeSetResource, type NodeSet } from '@slurm-operator/api'
import { isConflict, isFailure, isNotFound, podResource, type Live, type Pod } from '@slurm-operator/kube'
import { someSeconds, undoAfter, type Happening, type Stage } from './happening.ts'
import { buildNodeSet, NAMESPACE } from './objects.ts'

const MOST_REPLICAS = 5

/** See the module. */
export const userEdits: readonly Happening[] = [
  {
    name: 'scale',
    weight: 10,
    happen: (stage) => edit(stage, () => ({ replicas: stage.random.below(MOST_REPLICAS + 1) })),
  },
  {
    name: 'image',
    weight: 6,
    happen: (stage) => edit(stage, () => ({ slurmd: { image: `slurmd:${stage.random.below(5)}` } })),
  },
  {
    name: 'size',
    weight: 2,
    happen: (stage) => edit(stage, () => ({ slurmd: { resources: { limits: sizeOf(stage) } } })),
  },
  { name: 'strategy', weight: 3, happen: (stage) => edit(stage, () => ({ updateStrategy: strategyOf(stage) })) },
  { name: 'mode', weight: 2, happen: (stage) => edit(stage, ({ spec }) => ({ scalingMode: otherMode(spec) })) },
  { name: 'pin', weight: 1, happen: (stage) => edit(stage, ({ spec }) => ({ pinToNode: spec.pinToNode !== true })) },
  {
    name: 'patience',
    weight: 1,
    happen: (stage) => edit(stage, () => ({ minReadySeconds: stage.random.pick([0, 5, 30]) })),
  },
  { name: 'padding', weight: 1, happen: (stage) => edit(stage, () => ({ ordinalPadding: stage.random.pick([0, 2]) })) },
  { name: 'retention', weight: 1, happen: (stage) => edit(stage, () => retentionOf(stage)) },
  {
    name: 'prune',
    weight: 1,
    happen: (stage) => edit(stage, () => ({ pruneSlurmNodeRecords: stage.random.pick(['Never', 'NodeNotFound']) })),
  },
  {
    name: 'protection',
    weight: 1,
    happen: (stage) => edit(stage, () => ({ workloadDisruptionProtection: stage.random.chance(0.5) })),
  },
  { name: 'delete NodeSet', weight: 1, happen: deleteNodeSet },
  { name: 'delete pod', weight: 3, happen: deletePod },
  { name: 'cordon pod', weight: 2, happen: cordonPod },
  { name: 'deletion cost', weight: 1, happen: costPod },
]

async function edit(stage: Stage, change: (nodeSet: Live<NodeSet>) => object): Promise<string | undefined> {
  const nodeSet = someNodeSet(stage)
  if (nodeSet === undefined) return undefined
  const spec = change(nodeSet)
  const { name } = nodeSet.metadata
  await stage.cluster.users
    .resource(nodeSetResource)
    .patch({ namespace: NAMESPACE, name }, { type: 'merge', body: { spec } })
  return `a user edits NodeSet ${name}: ${JSON.stringify(spec)}`
}

/** A NodeSet, by chance. */
export function someNodeSet({ cluster, random }: Stage): Live<NodeSet> | undefined {
  const all = cluster.server.all(nodeSetResource)
  return all.length === 0 ? undefined : random.pick(all)
}

function somePod({ cluster, random }: Stage): Live<Pod> | undefined {
  const living = cluster.server.all(podResource).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  return living.length === 0 ? undefined : random.pick(living)
}

const sizeOf = ({ random }: Stage) => ({ cpu: String(1 + random.below(4)), memory: `${1 + random.below(4)}Gi` })

function strategyOf({ random, cluster }: Stage): object {
  const maxUnavailable = random.pick([1, 2, '25%', '50%', '100%'])
  const rolling = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable }, scheduledUpdate: null }
  if (random.chance(0.7)) return rolling
  if (random.chance(0.5)) return { type: 'OnDelete', rollingUpdate: null, scheduledUpdate: null }
  const startTime = new Date(cluster.world.clock.now() + random.below(900) * 1000).toISOString().replace(/\.\d+/, '')
  return { type: 'ScheduledUpdate', rollingUpdate: null, scheduledUpdate: { startTime, duration: '10m' } }
}

const otherMode = ({ scalingMode }: NodeSet['spec']) => (scalingMode === 'DaemonSet' ? 'StatefulSet' : 'DaemonSet')

function retentionOf({ random }: Stage): object {
  const [whenScaled, whenDeleted] = [random.pick(['Retain', 'Delete']), random.pick(['Retain', 'Delete'])]
  return { persistentVolumeClaimRetentionPolicy: { whenScaled, whenDeleted } }
}

async function deleteNodeSet(stage: Stage): Promise<string | undefined> {
  const nodeSet = someNodeSet(stage)
  if (nodeSet === undefined || nodeSet.metadata.deletionTimestamp !== undefined) return undefined
  return deleteForAWhile(stage, nodeSet)
}

/** It comes back with the same name: to Kubernetes it is another one. */
export async function deleteForAWhile(stage: Stage, { metadata, spec }: Live<NodeSet>): Promise<string> {
  const { name, annotations } = metadata
  const nodeSets = stage.cluster.users.resource(nodeSetResource)
  await nodeSets.delete({ namespace: NAMESPACE, name }, { propagation: 'Background' })
  const createAgain = async (): Promise<void> => {
    try {
      await nodeSets.create(buildNodeSet(name, spec, annotations))
      stage.cluster.tell(`a user creates NodeSet ${name} again`)
    } catch {
      undoAfter(stage, 10_000, createAgain) // the old one is still going
    }
  }
  undoAfter(stage, someSeconds(stage, 1, 200), createAgain)
  return `a user deletes NodeSet ${name}`
}

async function deletePod(stage: Stage): Promise<string | undefined> {
  const pod = somePod(stage)
  if (pod === undefined) return undefined
  await quietly(stage.cluster.users.resource(podResource).delete(pod.metadata))
  return `a user deletes pod ${pod.metadata.name}`
}

async function annotate(stage: Stage, pod: Live<Pod>, annotations: Readonly<Record<string, string | null>>) {
  const { name, namespace, uid } = pod.metadata
  const body = { metadata: { uid, annotations } }
  await quietly(stage.cluster.users.resource(podResource).patch({ name, namespace }, { type: 'merge', body }))
}

async function cordonPod(stage: Stage): Promise<string | undefined> {
  const pod = somePod(stage)
  if (pod === undefined) return undefined
  await annotate(stage, pod, { [annotationKeys.podCordon]: 'true' })
  undoAfter(stage, someSeconds(stage, 10, 600), () => annotate(stage, pod, { [annotationKeys.podCordon]: null }))
  return `a user cordons pod ${pod.metadata.name}`
}

async function costPod(stage: Stage): Promise<string | undefined> {
  const pod = somePod(stage)
  if (pod === undefined) return undefined
  await annotate(stage, pod, { [annotationKeys.podDeletionCost]: String(stage.random.below(5) - 2) })
  return `a user says what the deletion of pod ${pod.metadata.name} costs`
}

/** Somebody was faster; a patch of another pod of the same name is invalid. */
async function quietly(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error) && !isFailure(error, 'Invalid')) throw error
  }
}
