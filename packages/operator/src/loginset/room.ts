import {
  loginSetDeploymentName,
  loginSetResource,
  selectorLabels,
  withLoginSetDefaults,
  type LoginSet,
  type LoginSetWithDefaults,
} from '@slurm-operator/api'
import { judgeByWorkload } from '../component/judge-workload.ts'
import { observeDeployment, replicaFields } from '../component/observe-workload.ts'
import type { ComponentRoom, Judgement, RoomPass } from '../component/room.ts'
import { buildLoginSetChildren } from './build.ts'
import { observeLoginSet, type LoginSetFacts } from './observe.ts'

/** Login nodes: sshd, sssd and sackd. */
export const loginSetRoom: ComponentRoom<LoginSet, LoginSetFacts, LoginSetWithDefaults> = {
  name: 'loginset',
  resource: loginSetResource,
  cache: ({ caches }) => caches.loginSets,
  withDefaults: withLoginSetDefaults,
  observe: observeLoginSet,
  build: buildLoginSetChildren,
  judge,
}

function judge({ object, world, nowMs }: RoomPass<LoginSetWithDefaults>): Judgement {
  const { namespace, name } = object.metadata
  const facts = observeDeployment(world, { namespace, name: loginSetDeploymentName(name) })
  return { ...judgeByWorkload('login', facts, nowMs), fields: replicaFields(facts, selectorLabels('login', name)) }
}
