/**
 * `kubectl drain`: a Kube node is cordoned, and each of its workers evicted as soon as the disruption budget lets it go.
 *
 * @module
 */
import { labelKeys, YES } from '@slurm-operator/api'
import { isNotFound, podResource, type Live, type Pod } from '@slurm-operator/kube'
import { someNode, someSeconds, undoAfter, type Happening, type Stage } from './happening.ts'

/** See the module. */
export const nodeEmptying: Happening = { name: 'kubectl drain', weight: 15, happen: emptyNode }

const TRY_AGAIN_MS = 5_000

async function emptyNode(stage: Stage): Promise<string | undefined> {
  const { machines, world } = stage.cluster
  const node = someNode(stage)
  if (node === undefined) return undefined
  await machines.cordon(node)
  let isOver = false
  const evictAll = async (): Promise<void> => {
    if (isOver) return
    for (const pod of workersOn(stage, node)) await evict(stage, pod)
    world.clock.schedule(TRY_AGAIN_MS, () => void evictAll().catch(stage.promises.accuse))
  }
  undoAfter(stage, someSeconds(stage, 30, 900), () => {
    isOver = true
    return machines.uncordon(node)
  })
  await evictAll()
  return `kubectl drain begins to empty Kube node ${node}`
}

function workersOn({ cluster }: Stage, node: string): Live<Pod>[] {
  const pods = cluster.server.all(podResource).filter(({ spec }) => spec?.nodeName === node)
  return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
}

/** What the API server does: pods that wait or have ended are not asked about; the budget lets no protected one go. */
async function evict({ cluster, promises }: Stage, pod: Live<Pod>): Promise<void> {
  const isAskedFor = pod.status?.phase === 'Running' && pod.metadata.labels?.[labelKeys.podProtect] === YES
  if (isAskedFor) return
  promises.noteEviction(pod)
  cluster.tell(`kubectl drain evicts pod ${pod.metadata.name}`)
  const { uid } = pod.metadata
  await cluster.users
    .resource(podResource)
    .delete(pod.metadata, { preconditions: { uid } })
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
}
