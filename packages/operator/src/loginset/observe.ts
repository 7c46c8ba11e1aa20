import { sshHostKeysSecretName, type Controller, type LoginSetWithDefaults } from '@slurm-operator/api'
import type { CallOptions, Secret } from '@slurm-operator/kube'
import type { RoomPass } from '../component/room.ts'
import { readSecretEntries } from '../world/entries.ts'
import type { Kept } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import { generateHostKeys, type HostKeyFiles } from './host-keys.ts'

/** What a LoginSet is built from. */
export interface LoginSetFacts {
  readonly controller: Kept<Controller> | undefined
  readonly slurmKey: Kept<Secret> | undefined
  readonly sssdConf: Kept<Secret> | undefined
  /** Those that exist, or new ones. */
  readonly hostKeys: HostKeyFiles
  readonly clusterDomain: string
}

/** Read what it refers to. Host keys are made when there are none: users would be warned of an attack by every change. */
export async function observeLoginSet({ object, world, pass }: RoomPass<LoginSetWithDefaults>): Promise<LoginSetFacts> {
  const { namespace } = object.metadata
  const options = { signal: pass.signal }
  const read = (name: string | undefined) => readSecret(world, { namespace, name }, options)
  const controller = world.caches.controllers.get({ namespace, name: object.spec.controllerRef.name ?? '' })
  const stored = await read(sshHostKeysSecretName(object.metadata.name))
  return {
    controller,
    slurmKey: await read(controller?.spec.slurmKeyRef?.name),
    sssdConf: await read(object.spec.sssdConfRef.name),
    hostKeys: await hostKeysOf(stored, controller !== undefined),
    clusterDomain: world.clusterDomain,
  }
}

/** Making keys takes seconds, so they are not made for pods that cannot be made. */
async function hostKeysOf(stored: Kept<Secret> | undefined, isNeeded: boolean): Promise<HostKeyFiles> {
  if (stored !== undefined) return textsOf(stored)
  return isNeeded ? generateHostKeys() : {}
}

async function readSecret(
  { secrets }: World,
  { namespace, name }: { readonly namespace: string; readonly name: string | undefined },
  options: CallOptions,
): Promise<Kept<Secret> | undefined> {
  return name === undefined || name === '' ? undefined : secrets.read({ namespace, name }, options)
}

function textsOf(secret: Secret): HostKeyFiles {
  return Object.fromEntries(
    Object.entries(readSecretEntries(secret)).map(([file, bytes]) => [file, bytes.toString('utf8')]),
  )
}
