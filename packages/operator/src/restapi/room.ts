import {
  restApiDeploymentName,
  restApiResource,
  selectorLabels,
  withRestApiDefaults,
  type RestApi,
  type RestApiWithDefaults,
} from '@slurm-operator/api'
import type { ComponentRoom, Judgement, RoomPass } from '../component/room.ts'
import { judgeByWorkload } from '../component/judge-workload.ts'
import { observeDeployment, replicaFields } from '../component/observe-workload.ts'
import { buildRestApiChildren } from './build.ts'
import { observeRestApi, type RestApiFacts } from './observe.ts'

/** slurmrestd: a Service and a Deployment. */
export const restApiRoom: ComponentRoom<RestApi, RestApiFacts, RestApiWithDefaults> = {
  name: 'restapi',
  resource: restApiResource,
  cache: ({ caches }) => caches.restApis,
  withDefaults: withRestApiDefaults,
  observe: observeRestApi,
  build: buildRestApiChildren,
  judge,
}

function judge({ object, world, nowMs }: RoomPass<RestApiWithDefaults>): Judgement {
  const { namespace, name } = object.metadata
  const facts = observeDeployment(world, { namespace, name: restApiDeploymentName(name) })
  return {
    ...judgeByWorkload('slurmrestd', facts, nowMs),
    fields: replicaFields(facts, selectorLabels('restApi', name)),
  }
}
