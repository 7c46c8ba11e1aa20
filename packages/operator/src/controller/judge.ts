import { controllerStatefulSetName, type ControllerWithDefaults } from '@slurm-operator/api'
import type { WantedCondition } from '@slurm-operator/kube'
import { judgeWorkload } from '../component/judge-workload.ts'
import { observeStatefulSet } from '../component/observe-workload.ts'
import type { Judgement, RoomPass } from '../component/room.ts'
import { stateOf } from '../reasons/reasons.ts'
import { describeSlurm } from '../slurm-status/slurm-facts.ts'
import { slurmReachable } from '../slurm-status/slurm-reachable.ts'
import { buildConfiguration } from './build-configuration.ts'
import { CONFIGURATION_APPLIED, configurationCondition, withLeftOut } from './configuration-condition.ts'
import { observeConfiguration } from './observe-configuration.ts'
import type { ControllerFacts } from './observe.ts'
import { CLAIM_CURRENT } from './plan-claim.ts'

type ControllerPass = RoomPass<ControllerWithDefaults>

/** A young pod that waits for a volume is judged anew then. */
const LOOK_AT_PODS_SECONDS = 15

/** Nobody tells when a connection is taken away, or when it is time to renew the time of the last contact. */
const LOOK_AT_SLURM_SECONDS = 60

/** Say how it is with a Controller. */
export function judgeController(at: ControllerPass, facts: ControllerFacts): Judgement {
  const { object, world, nowMs } = at
  const { namespace, name, generation = 0 } = object.metadata
  const connection = world.slurm.find(`${namespace}/${name}`)
  const conditions = [slurmReachable(connection, generation), ...describeConfiguration(at, facts)]
  const state = stateOfController(at)
  const lookAgainInSeconds = state.kind === 'working' ? LOOK_AT_PODS_SECONDS : LOOK_AT_SLURM_SECONDS
  return {
    state,
    fields: { slurm: describeSlurm(connection, object.status?.slurm, nowMs) },
    conditions,
    ...(object.spec.external && { retired: [CONFIGURATION_APPLIED, CLAIM_CURRENT] }),
    ...((connection !== undefined || state.kind === 'working') && { lookAgainInSeconds }),
  }
}

function stateOfController({ object, world, nowMs }: ControllerPass): Judgement['state'] {
  const { namespace, name } = object.metadata
  const { host, port } = object.spec.externalConfig ?? {}
  if (object.spec.external) return stateOf('External', `slurmctld runs outside of Kubernetes, at ${host}:${port}.`)
  const facts = observeStatefulSet(world, { namespace, name: controllerStatefulSetName(name) })
  return judgeWorkload('slurmctld', facts, nowMs)
}

function describeConfiguration(at: ControllerPass, facts: ControllerFacts): WantedCondition[] {
  if (at.object.spec.external) return []
  const picture = observeConfiguration(at, facts)
  if (picture === undefined) return []
  const { problems } = buildConfiguration(at.object, facts)
  return [withLeftOut(configurationCondition(picture, at.object.metadata.generation ?? 0), problems)]
}
