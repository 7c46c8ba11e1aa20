import { controllerStatefulSetName, type ControllerWithDefaults } from '@slurm-operator/api'
import type { WantedCondition } from '@slurm-operator/kube'
import type { ObjectState } from '@slurm-operator/runtime'
import { judgeWorkload, LOOK_AT_PODS_SECONDS } from '../component/judge-workload.ts'
import { observeStatefulSet } from '../component/observe-workload.ts'
import type { Judgement, RoomPass } from '../component/room.ts'
import { stateOf, type Reason } from '../reasons/reasons.ts'
import { slurmReachable } from '../slurm-status/judge-connection.ts'
import { describeSlurm } from '../slurm-status/slurm-facts.ts'
import { chooseConfiguration } from './choose-configuration.ts'
import { CONFIGURATION_APPLIED, configurationCondition, withFormer, withLeftOut } from './configuration-condition.ts'
import { observeConfiguration } from './observe-configuration.ts'
import type { ControllerFacts } from './observe.ts'
import { CLAIM_CURRENT } from './plan-claim.ts'

type ControllerPass = RoomPass<ControllerWithDefaults>

/** Nobody tells when a connection is taken away, or when slurmctld has worked long enough to have proved itself. */
const LOOK_AT_SLURM_SECONDS = 60

/** Say how it is with a Controller. */
export function judgeController(at: ControllerPass, facts: ControllerFacts): Judgement {
  const { object, world, nowMs } = at
  const { namespace, name, generation = 0 } = object.metadata
  const connection = world.slurm.find(`${namespace}/${name}`)
  const configuration = describeConfiguration(at, facts)
  const state = stateOfController(at, configuration)
  return {
    state,
    fields: { slurm: describeSlurm(connection, object.status?.slurm, nowMs) },
    conditions: [
      slurmReachable(connection?.health(), generation),
      ...(configuration === undefined ? [] : [withFormer(configuration, facts.formerNodeSets)]),
    ],
    ...(object.spec.external && { retired: [CONFIGURATION_APPLIED, CLAIM_CURRENT] }),
    lookAgainInSeconds: state.kind === 'working' ? LOOK_AT_PODS_SECONDS : LOOK_AT_SLURM_SECONDS,
  }
}

/** Of its pods; and as long as those are well, of what they should have read. */
function stateOfController({ object, world, nowMs }: ControllerPass, configuration?: WantedCondition): ObjectState {
  const { namespace, name } = object.metadata
  const { host, port } = object.spec.externalConfig ?? {}
  if (object.spec.external) return stateOf('External', `slurmctld runs outside of Kubernetes, at ${host}:${port}.`)
  const facts = observeStatefulSet(world, { namespace, name: controllerStatefulSetName(name) })
  const state = judgeWorkload('slurmctld', facts, nowMs)
  if (state.kind !== 'ready' || configuration?.status !== 'False') return state
  return stateOf(configuration.reason as Reason, configuration.message)
}

function describeConfiguration(at: ControllerPass, facts: ControllerFacts): WantedCondition | undefined {
  if (at.object.spec.external) return undefined
  const picture = observeConfiguration(at, facts)
  if (picture === undefined) return undefined
  const { problems, refused } = chooseConfiguration(at.object, facts)
  return withLeftOut(configurationCondition(picture, at.object.metadata.generation ?? 0, refused), problems)
}
