import { controllerStatefulSetName, labelKeys, YES, type ControllerWithDefaults } from '@slurm-operator/api'
import { isNotFound, podResource } from '@slurm-operator/kube'
import { foldingWriter, lookAgain, settled, type Outcome } from '@slurm-operator/runtime'
import { SlurmError, type SlurmConnection } from '@slurm-operator/slurm'
import { observeStatefulSet } from '../component/observe-workload.ts'
import type { RoomPass } from '../component/room.ts'
import { FIELD_MANAGER } from '../world/trim.ts'
import { isTakeOverAwaited, mustAskAnew, planActivePod, TAKE_OVER_SECONDS } from './plan-active-pod.ts'

/** Let the Service in front lead to the slurmctld in charge. */
export async function actActivePod({ object, world, pass, nowMs }: RoomPass<ControllerWithDefaults>): Promise<Outcome> {
  const { namespace, name } = object.metadata
  const { pods } = observeStatefulSet(world, { namespace, name: controllerStatefulSetName(name) })
  const connection = world.slurm.find(`${namespace}/${name}`)
  if (connection !== undefined && mustAskAnew(pods, connection.health(), nowMs)) await askAgain(connection)
  const health = connection?.health()
  const active = health?.state === 'reachable' ? health.activeController : undefined
  const silent = health?.controllers.filter(({ responding }) => !responding).map(({ hostname }) => hostname) ?? []
  const { mark, unmark } = planActivePod(pods, { active, silent })
  const writer = foldingWriter(world.client.resource(podResource), world.caches.pods)
  const label = async (pod: string, value: string | null): Promise<void> => {
    const body = { metadata: { labels: { [labelKeys.active]: value } } }
    const options = { signal: pass.signal, fieldManager: FIELD_MANAGER }
    try {
      await writer.patch({ namespace, name: pod }, { type: 'merge', body }, options)
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
  // First the new one: one endpoint too many is better than none.
  for (const pod of mark) await label(pod, YES)
  for (const pod of unmark) await label(pod, null)
  return health !== undefined && isTakeOverAwaited(health) ? lookAgain(TAKE_OVER_SECONDS) : settled
}

/** Lists may hang for long at a slurmctld that only stands by; a ping asks each of them. Not to know is an answer. */
async function askAgain(connection: SlurmConnection): Promise<void> {
  connection.retryNow()
  await connection.client.ping().catch((error: unknown) => {
    if (!(error instanceof SlurmError)) throw error
  })
}
