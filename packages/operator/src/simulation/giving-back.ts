/**
 * An administrator gives a node back that waits to leave, or may be chosen to: a job begins on it at once, and a moment
 * later a user wants fewer workers, or others. All that between two lists.
 *
 * @module
 */
import { nodeSetResource } from '@slurm-operator/api'
import { podResource } from '@slurm-operator/kube'
import { drainForAWhile } from './foreign-drain.ts'
import type { Happening, Stage } from './happening.ts'
import { NAMESPACE } from './objects.ts'
import { submitJobFor } from './submit-job.ts'

/** See the module. */
export const givingBack: Happening = {
  name: 'give back',
  weight: 25,
  happen: (stage) => drainForAWhile(stage, { lasts: [5, 90], afterwards: (node) => useAtOnce(stage, node) }),
}

function useAtOnce(stage: Stage, slurmNode: string): void {
  const { cluster, random, promises } = stage
  submitJobFor(stage, slurmNode)
  const changeMind = (): Promise<void> => changeNodeSetOf(stage, slurmNode)
  cluster.world.clock.schedule(random.below(16_000), () => void changeMind().catch(promises.accuse))
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
