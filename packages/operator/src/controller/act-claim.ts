import { controllerClaimName, type ControllerWithDefaults } from '@slurm-operator/api'
import { KubeError, persistentVolumeClaimResource } from '@slurm-operator/kube'
import { foldingWriter, settled } from '@slurm-operator/runtime'
import type { Acted, RoomPass } from '../component/room.ts'
import { lineOf } from '../reasons/reasons.ts'
import { FIELD_MANAGER } from '../world/trim.ts'
import { CLAIM_CURRENT, planClaim } from './plan-claim.ts'

type ControllerPass = RoomPass<ControllerWithDefaults>
type Line = ReturnType<typeof lineOf>

/** Let the claim grow if it should, and say how it stands with it. */
export async function actClaim(at: ControllerPass): Promise<Acted> {
  const { generation = 0 } = at.object.metadata
  const line = await growClaim(at)
  return { outcome: settled, conditions: [{ type: CLAIM_CURRENT, observedGeneration: generation, ...line }] }
}

/** The API server says whether the StorageClass allows it. */
async function growClaim({ object, world, pass }: ControllerPass): Promise<Line> {
  const { namespace, name } = object.metadata
  const { persistence } = object.spec
  if (!persistence.enabled || persistence.existingClaim)
    return lineOf('ClaimNotOurs', 'The state is in no claim that we make.')
  const key = { namespace, name: controllerClaimName(name) }
  const claim = world.caches.claims.get(key)
  const plan = planClaim(persistence, claim)
  if (plan.do === 'tell') return lineOf('ClaimFixed', plan.because)
  if (plan.do === 'nothing') return describe(claim)
  const body = { spec: { resources: { requests: { storage: plan.to } } } }
  const writer = foldingWriter(world.client.resource(persistentVolumeClaimResource), world.caches.claims)
  try {
    await writer.patch(key, { type: 'merge', body }, { signal: pass.signal, fieldManager: FIELD_MANAGER })
    return lineOf('ClaimGrowing', `Claim ${key.name} grows to ${plan.to}.`)
  } catch (error) {
    if (!(error instanceof KubeError) || !isRefusal(error)) throw error
    const message = `Claim ${key.name} cannot grow to ${plan.to}: ${error.message}. Use a StorageClass that allows it, or take the change back.`
    return lineOf('ClaimCannotGrow', message)
  }
}

function isRefusal({ reason }: KubeError): boolean {
  return reason === 'Forbidden' || reason === 'Invalid'
}

type Claim = NonNullable<ReturnType<ControllerPass['world']['caches']['claims']['get']>>

/** The volume grows some time after the claim was changed. */
function describe(claim: Claim | undefined): Line {
  if (claim === undefined) return lineOf('NoClaim', 'The claim does not exist yet.')
  const [asked, has] = [claim.spec?.resources?.requests?.['storage'], claim.status?.capacity?.['storage']]
  const isGrowing = claim.status?.conditions?.some(({ status }) => status === 'True') ?? false
  if (isGrowing) return lineOf('ClaimGrowing', `Claim ${claim.metadata.name} grows to ${asked ?? ''}.`)
  return lineOf('ClaimAsWanted', `Claim ${claim.metadata.name} has ${has ?? asked ?? ''}.`)
}
