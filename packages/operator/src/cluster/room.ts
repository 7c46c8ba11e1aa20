import { clusterResource, withClusterDefaults, type Cluster, type ClusterWithDefaults } from '@slurm-operator/api'
import { keyText } from '@slurm-operator/runtime'
import { missing } from '../component/obstacles.ts'
import type { ComponentRoom, Judgement, Obstacle, RoomPass, Wish } from '../component/room.ts'
import { judgeConnection, slurmReachable } from '../slurm-status/judge-connection.ts'
import { describeSlurm } from '../slurm-status/slurm-facts.ts'
import { readSecretEntry } from '../world/entries.ts'
import type { Kept } from '../world/trim.ts'

/** What a Cluster refers to and cannot find. */
interface ClusterFacts {
  readonly obstacles: readonly Obstacle[]
}

/** The connection to one Slurm cluster as an object: what Slurm says, and whether it says anything. It has no children. */
export const clusterRoom: ComponentRoom<Cluster, ClusterFacts, ClusterWithDefaults> = {
  name: 'cluster',
  resource: clusterResource,
  cache: ({ caches }) => caches.clusters,
  withDefaults: withClusterDefaults,
  observe: async (at) => ({ obstacles: await findMissing(at) }),
  build: (_object, { obstacles }): Wish => ({ children: [], obstacles }),
  judge,
}

/** The key of its Slurm cluster. */
function slurmKeyOf({ metadata, spec }: Kept<Cluster>): string {
  return keyText({ namespace: metadata.namespace, name: spec.controllerRef?.name || metadata.name })
}

async function findMissing({ object, world, pass }: RoomPass<ClusterWithDefaults>): Promise<Obstacle[]> {
  const { metadata, spec } = object
  const { namespace } = metadata
  const whose = `Cluster ${metadata.name}`
  const controllerName = spec.controllerRef?.name
  if (controllerName) {
    const controller = world.caches.controllers.get({ namespace, name: controllerName })
    return controller === undefined ? [missing(`Controller ${controllerName}`, whose)] : []
  }
  const { name = '', key = '' } = spec.token?.secretRef ?? {}
  const secret = await world.secrets.read({ namespace, name }, { signal: pass.signal })
  const hasToken = secret !== undefined && readSecretEntry(secret, key) !== undefined
  return hasToken ? [] : [missing(`Secret ${name} with the entry ${key}`, whose)]
}

function judge({ object, world, nowMs }: RoomPass<ClusterWithDefaults>): Judgement {
  const { generation = 0 } = object.metadata
  const connection = world.slurm.find(slurmKeyOf(object))
  const health = connection?.health()
  const state = judgeConnection(health)
  const slurm = describeSlurm(connection, object.status?.slurm, nowMs)
  return {
    state,
    fields: { isReady: state.kind === 'ready', slurm },
    conditions: [slurmReachable(health, generation)],
  }
}
