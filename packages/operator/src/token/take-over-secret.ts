import { tokenSecretName, type TokenWithDefaults } from '@slurm-operator/api'
import { buildControllerReference, secretResource } from '@slurm-operator/kube'
import { settled, type Outcome } from '@slurm-operator/runtime'
import type { RoomPass } from '../component/room.ts'
import { isLeftByOthers } from './build-secret.ts'
import type { TokenFacts } from './observe.ts'

/** Make a token ours that another operator of this API has left, so that it goes when its Token goes. */
export async function takeOverSecret(
  { object, world, pass }: RoomPass<TokenWithDefaults>,
  facts: TokenFacts,
): Promise<Outcome> {
  if (facts.stored === undefined || !isLeftByOthers(facts)) return settled
  const { namespace } = object.metadata
  const { uid, resourceVersion } = facts.stored.metadata
  const metadata = { uid, resourceVersion, ownerReferences: [buildControllerReference(object)] }
  const patched = await world.client
    .resource(secretResource)
    .patch({ namespace, name: tokenSecretName(object) }, { type: 'merge', body: { metadata } }, { signal: pass.signal })
  world.secrets.wrote(patched)
  return { kind: 'look-again', inSeconds: 0 }
}
