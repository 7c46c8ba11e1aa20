import type { ControllerWithDefaults } from '@slurm-operator/api'
import { podResource, type Clock } from '@slurm-operator/kube'
import { foldingWriter, lookAgain, settled, type Outcome } from '@slurm-operator/runtime'
import { isSlurmFailure, SlurmError, type SlurmClient } from '@slurm-operator/slurm'
import type { RoomPass } from '../component/room.ts'
import { FIELD_MANAGER } from '../world/trim.ts'
import { observeConfiguration } from './observe-configuration.ts'
import type { ControllerFacts } from './observe.ts'
import { planConfiguration, type ConfigurationPicture, type ConfigurationPlan } from './plan-configuration.ts'
import {
  refusedPatch,
  standsByPatch,
  takenPatch,
  tellPatch,
  tookOverPatch,
  type AnnotationPatch,
  type PodConfiguration,
} from './pod-configuration.ts'
import { provesNewFiles, readReported } from './slurm-evidence.ts'

type ControllerPass = RoomPass<ControllerWithDefaults>

/** After a first reconfigure, or when nobody answered. */
const LOOK_AGAIN_SECONDS = 10

/** Bring a changed configuration to slurmctld: one step per pass. */
export async function actConfiguration(at: ControllerPass, facts: ControllerFacts): Promise<Outcome> {
  const picture = observeConfiguration(at, facts)
  if (picture === undefined) return settled
  const plan = planConfiguration(picture)
  switch (plan.do) {
    case 'nothing':
      return settled
    case 'wait':
      return lookAgain(plan.inSeconds)
    case 'tell':
      await annotate(at, plan.pods, (pod) => tellPatch(pod, picture.wanted, at.nowMs))
      return actConfigurationSoon(plan.pods)
    case 'forget':
      await annotate(at, plan.pods, () => standsByPatch)
      return settled
    case 'reconfigure':
      return reconfigure(at, picture, plan)
  }
}

/** Our own annotation wakes the loop at once; this is for the case that it does not. */
function actConfigurationSoon({ length }: readonly PodConfiguration[]): Outcome {
  return lookAgain(length > 0 ? 1 : undefined)
}

type Reconfigure = Extract<ConfigurationPlan, { readonly do: 'reconfigure' }>

async function reconfigure(
  at: ControllerPass,
  { wanted, inCharge }: ConfigurationPicture,
  { isCertain, pods }: Reconfigure,
): Promise<Outcome> {
  const { namespace, name } = at.object.metadata
  const client = at.world.slurm.find(`${namespace}/${name}`)?.client
  if (client === undefined) return lookAgain(LOOK_AGAIN_SECONDS)
  try {
    const isProved = await reconfigureAndCompare(client, isCertain, at.world.clock)
    at.pass.log.info('asked slurmctld to read its configuration again', { isProved })
    await annotate(at, pods, (pod) => ({
      ...takenPatch(wanted, isProved, at.nowMs),
      ...tookOverPatch(pod, inCharge),
    }))
    return isProved ? settled : lookAgain(LOOK_AGAIN_SECONDS)
  } catch (error) {
    if (!(error instanceof SlurmError)) throw error
    at.pass.log.info('slurmctld did not read its configuration', { because: error.message })
    // Who does not answer has not refused.
    if (isSlurmFailure(error, 'refused', 'unauthorized'))
      await annotate(at, pods, () => refusedPatch(error.message, at.nowMs))
    return lookAgain(LOOK_AGAIN_SECONDS)
  }
}

async function reconfigureAndCompare(client: SlurmClient, isCertain: boolean, clock: Clock): Promise<boolean> {
  if (isCertain) return client.reconfigure().then(() => true)
  const before = await readReported(client, clock)
  await client.reconfigure()
  return provesNewFiles(before, await readReported(client, clock))
}

async function annotate(
  { world, pass }: ControllerPass,
  pods: readonly PodConfiguration[],
  patch: (pod: PodConfiguration) => AnnotationPatch,
): Promise<void> {
  const writer = foldingWriter(world.client.resource(podResource), world.caches.pods)
  for (const each of pods) {
    const { name, namespace, uid } = each.pod.metadata
    const body = { metadata: { uid, annotations: patch(each) } }
    const options = { signal: pass.signal, fieldManager: FIELD_MANAGER }
    await writer.patch({ name, namespace }, { type: 'merge', body }, options)
  }
}
