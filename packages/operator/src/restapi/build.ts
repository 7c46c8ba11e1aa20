import { components, ports, restApiServiceName, selectorLabels, type RestApiWithDefaults } from '@slurm-operator/api'
import { buildControllerReference, type KubeObject, type Service } from '@slurm-operator/kube'
import { errorsIn, missing, obstaclesOf } from '../component/obstacles.ts'
import type { Obstacle, Wish } from '../component/room.ts'
import type { Kept } from '../world/trim.ts'
import { buildMetadata } from '../workload/build-metadata.ts'
import { buildService } from '../workload/build-service.ts'
import type { Built } from '../workload/problem.ts'
import { buildRestApiDeployment } from './build-deployment.ts'
import type { RestApiFacts } from './observe.ts'

/** The Service and the Deployment; a Deployment only when there is something for slurmrestd to read. */
export function buildRestApiChildren(restApi: Kept<RestApiWithDefaults>, facts: RestApiFacts): Wish {
  const service = buildRestApiService(restApi)
  const obstacles = [...obstaclesOf(service.problems), ...findMissing(restApi, facts)]
  const children: KubeObject[] = errorsIn(service.problems).length === 0 ? [service.value] : []
  if (findMissing(restApi, facts).length > 0) return { children, obstacles }
  const deployment = buildRestApiDeployment(restApi, facts)
  if (errorsIn(deployment.problems).length > 0)
    return { children, obstacles: [...obstacles, ...obstaclesOf(deployment.problems)] }
  return { children: [...children, deployment.value], obstacles }
}

function buildRestApiService(restApi: Kept<RestApiWithDefaults>): Built<Service> {
  const { metadata, spec } = restApi
  const { namespace, name: instance } = metadata
  const name = restApiServiceName(instance)
  const common = { name, namespace, component: 'restApi', instance, resource: metadata } as const
  return buildService({
    metadata: {
      ...buildMetadata({ ...common, on: 'object', extra: spec.service?.metadata }),
      ownerReferences: [buildControllerReference(restApi)],
    },
    selector: selectorLabels('restApi', instance),
    portName: components.restApi.app,
    defaultPort: ports.slurmrestd,
    user: spec.service,
  })
}

function findMissing({ metadata, spec }: Kept<RestApiWithDefaults>, { controller, config }: RestApiFacts): Obstacle[] {
  const whose = `RestApi ${metadata.name}`
  if (controller === undefined) return [missing(`Controller ${spec.controllerRef.name}`, whose)]
  if (config !== undefined) return []
  const because = `The configuration of Controller ${controller.metadata.name} has not been written yet.`
  return [{ reason: 'WaitingForController', because }]
}
