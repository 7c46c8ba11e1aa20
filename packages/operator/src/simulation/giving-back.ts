/**
 * An administrator gives a node back that waits to leave, or may be chosen to: a job begins on it at once, and a moment
 * later a user wants fewer workers, or others. All that between two lists.
 *
 * @module
 */
import { nodeSetResource } from '@slurm-operator/api'
import { podResource } from '@slurm-operator/kube'
import { someSeconds, undoAfter, type Happening, type Stage } from './happening.ts'
import { FOREIGN_REASON, NAMESPACE } from './objects.ts'

/** See the module. */
export const givingBack: Happening = { name: 'give back', weight: 25, happen: drainForAWhile }

function drainForAWhile(stage: Stage): string | undefined {
  const { cluster, random } = stage
  const idle = cluster.slurm.truth.nodes().filter(({ record }) => record.flags.size === 0 && !record.isDown)
  if (idle.length === 0) return undefined
  const { name } = random.pick(idle)
  if (!order(stage, name, { state: 'DRAIN', reason: FOREIGN_REASON })) return undefined
  undoAfter(stage, someSeconds(stage, 5, 90), () => giveBack(stage, name))
  return `an administrator drains ${name} for a while`
}

/** Whether slurmctld took the order; it may be away, or the node may be another one by now. */
function order(stage: Stage, name: string, change: object): boolean {
  const { machines, slurm } = stage.cluster
  try {
    stage.promises.noteOrder(name)
    return machines.excuse('an administrator', () => slurm.orders.updateNode(name, change)) === undefined
  } catch {
    return false
  }
}

async function giveBack(stage: Stage, name: string): Promise<void> {
  const { cluster, random } = stage
  const record = cluster.slurm.truth.node(name)?.record
  if (record?.reason !== FOREIGN_REASON || !record.flags.has('DRAIN')) return
  if (!order(stage, name, { state: record.isDown ? 'RESUME' : 'UNDRAIN' })) {
    undoAfter(stage, 10_000, () => giveBack(stage, name))
    return
  }
  cluster.tell(`the administrator gives ${name} back`)
  submitJob(stage, name)
  const changeMind = (): Promise<void> => changeNodeSetOf(stage, name)
  cluster.world.clock.schedule(random.below(16_000), () => void changeMind().catch(stage.promises.accuse))
}

function submitJob(stage: Stage, node: string): void {
  const runMs = someSeconds(stage, 5, 300)
  try {
    stage.cluster.slurm.orders.submitJob({ runMs, requeue: stage.random.chance(0.5), requiredNodes: [node] })
    stage.cluster.tell(`a job of ${runMs / 1000} s is submitted for ${node}`)
  } catch {
    // Nobody takes jobs now.
  }
}

async function changeNodeSetOf({ cluster, random }: Stage, slurmNode: string): Promise<void> {
  const pod = cluster.server.all(podResource).find(({ spec }) => spec?.hostname === slurmNode)
  const name = pod?.metadata.ownerReferences?.[0]?.name ?? ''
  const key = { namespace: NAMESPACE, name }
  if (cluster.server.find(nodeSetResource, key) === undefined) return
  const spec = random.chance(0.5) ? { replicas: 0 } : { slurmd: { image: `slurmd:${10 + random.below(5)}` } }
  await cluster.users.resource(nodeSetResource).patch(key, { type: 'merge', body: { spec } })
  cluster.tell(`a user edits NodeSet ${name}: ${JSON.stringify(spec)}`)
}
