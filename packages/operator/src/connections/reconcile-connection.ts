import { withClusterDefaults } from '@slurm-operator/api'
import type { CallOptions, ObjectKey } from '@slurm-operator/kube'
import { keyText, settled, type Reconcile } from '@slurm-operator/runtime'
import { Secret } from '@slurm-operator/slurm'
import { jwtKeyRefOf } from '../keys/observe-keys.ts'
import { readSecretEntry } from '../world/entries.ts'
import type { World } from '../world/world.ts'
import { isServing, planConnection, type ConnectionPicture } from './plan-connection.ts'

/** One pass over the connection to one Slurm cluster. It costs nothing when nothing has changed. */
export function createConnectionPass(world: World, override?: string): Reconcile {
  return async (key, pass) => {
    const picture = await observeConnection(key, world, { signal: pass.signal }, override)
    const plan = planConnection(picture)
    const name = keyText(key)
    switch (plan.do) {
      case 'connect':
        if (world.slurm.find(name) === undefined) pass.log.info('connecting', { endpoints: plan.settings.endpoints })
        world.slurm.ensure(name, plan.settings)
        if (picture.controller !== undefined && [picture.controller, ...picture.restApis].every(isServing)) {
          askAgain(world, name)
        }
        break
      case 'keep':
        pass.log.info('the connection stays as it is', { because: plan.because })
        break
      case 'remove':
        if (world.slurm.find(name) !== undefined) pass.log.info('disconnecting', { because: plan.because })
        world.slurm.remove(name)
    }
    return settled
  }
}

/** While nobody answered, or our token was refused, we asked less and less often. */
function askAgain({ slurm }: World, name: string): void {
  const connection = slurm.find(name)
  const state = connection?.health().state
  if (state === 'unreachable' || state === 'refused') connection?.retryNow()
}

async function observeConnection(
  key: ObjectKey,
  world: World,
  options: CallOptions,
  override: string | undefined,
): Promise<ConnectionPicture> {
  const { caches } = world
  const controller = caches.controllers.get(key)
  const stored = caches.clusters.get(key)
  const cluster = stored && withClusterDefaults(stored)
  const readEntry = (ref: { readonly name?: string; readonly key?: string } | undefined) =>
    readKey(world, { namespace: key.namespace, name: ref?.name ?? '' }, ref?.key ?? '', options)
  return {
    controller,
    restApis: caches.restApis.by('controller', keyText(key)).filter(({ metadata }) => !metadata.deletionTimestamp),
    signingKey: controller && (await readEntry(jwtKeyRefOf(controller))),
    cluster,
    token: cluster?.spec.server === undefined ? undefined : await readEntry(cluster.spec.token?.secretRef),
    override,
  }
}

async function readKey(
  { secrets }: World,
  key: ObjectKey,
  entry: string,
  options: CallOptions,
): Promise<Secret | undefined> {
  const secret = key.name === '' ? undefined : await secrets.read(key, options)
  const bytes = secret && readSecretEntry(secret, entry)
  return bytes && new Secret(bytes)
}
