import { controllerConfigMapName, type Controller, type RestApiWithDefaults } from '@slurm-operator/api'
import type { ConfigMap, Secret } from '@slurm-operator/kube'
import type { RoomPass } from '../component/room.ts'
import type { Kept } from '../world/trim.ts'

/** What a RestApi is built from. */
export interface RestApiFacts {
  readonly controller: Kept<Controller> | undefined
  /** With slurm.conf; its Controller makes it. */
  readonly config: Kept<ConfigMap> | undefined
  readonly slurmKey: Kept<Secret> | undefined
}

/** Read the Controller, its configuration and its key. */
export async function observeRestApi({ object, world, pass }: RoomPass<RestApiWithDefaults>): Promise<RestApiFacts> {
  const { namespace } = object.metadata
  const { name } = object.spec.controllerRef
  const options = { signal: pass.signal }
  const controller = world.caches.controllers.get({ namespace, name })
  const keyName = controller?.spec.slurmKeyRef?.name
  return {
    controller,
    config: await world.configMaps.read({ namespace, name: controllerConfigMapName(name) }, options),
    slurmKey: keyName ? await world.secrets.read({ namespace, name: keyName }, options) : undefined,
  }
}
