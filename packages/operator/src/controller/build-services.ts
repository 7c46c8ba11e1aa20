import {
  components,
  controllerInternalServiceName,
  controllerPodHost,
  controllerPodName,
  controllerServiceName,
  labelKeys,
  ports,
  selectorLabels,
  shortServiceHost,
  YES,
  type ControllerWithDefaults,
} from '@slurm-operator/api'
import { buildControllerReference, type Service } from '@slurm-operator/kube'
import { buildMetadata, type MetadataInput } from '../workload/build-metadata.ts'
import { buildService, servicePort } from '../workload/build-service.ts'
import type { Built, Problem } from '../workload/problem.ts'
import type { Kept } from '../world/trim.ts'
import { replicasOf } from './replicas.ts'

/** On the Service that Prometheus reads, and on no other: both lead to the same pods. */
export const scrapeLabel = { 'controller.slinky.slurm.net/scrape': YES } as const

type Wanted = Kept<ControllerWithDefaults>

/** The port on which slurmctld listens: clients reach it through the Service, so both have the same. */
export function slurmctldPort({ spec }: Pick<ControllerWithDefaults, 'spec'>): number {
  return servicePort(spec.service, ports.slurmctld)
}

/** Ports on which only root may listen. */
const FIRST_FREE_PORT = 1024

/** slurmctld is not root. */
export function findPortProblems(controller: Pick<ControllerWithDefaults, 'spec'>): Problem[] {
  const port = slurmctldPort(controller)
  if (port >= FIRST_FREE_PORT) return []
  const problem = `is ${port}, but slurmctld is not root and needs a port of at least ${FIRST_FREE_PORT}.`
  return [{ path: 'spec.service.port', problem }]
}

/** The Service that leads to the slurmctld in charge. With one slurmctld nothing has to be known about it. */
export function buildFrontService(controller: Wanted, isScraped: boolean): Built<Service> {
  const { metadata, spec } = controller
  const isShared = replicasOf(controller) > 1
  const selector = selectorLabels('controller', metadata.name)
  return buildService({
    metadata: metadataOf(controller, {
      name: controllerServiceName(metadata.name),
      extra: spec.service?.metadata,
      ...(isScraped && { labels: scrapeLabel }),
    }),
    selector: { ...selector, ...(isShared && { [labelKeys.active]: YES }) },
    portName: components.controller.app,
    defaultPort: ports.slurmctld,
    user: spec.service,
  })
}

/** The Service that gives each slurmctld pod its host name, also before it is ready. */
export function buildInternalService(controller: Wanted): Built<Service> {
  const { name } = controller.metadata
  return buildService({
    metadata: metadataOf(controller, { name: controllerInternalServiceName(name) }),
    selector: selectorLabels('controller', name),
    portName: components.controller.app,
    defaultPort: slurmctldPort(controller),
    isHeadless: true,
  })
}

/**
 * With several slurmctld, a Service for each of them. Slurm resolves the names of all before it speaks to any, and waits ten
 * seconds for a name that nobody has: so they have addresses also while a pod is away, unlike in a headless Service.
 */
export function buildMemberServices(controller: Wanted): Built<Service>[] {
  const { name } = controller.metadata
  const replicas = replicasOf(controller)
  return Array.from({ length: replicas > 1 ? replicas : 0 }, (_, ordinal) => {
    const pod = controllerPodName(name, ordinal)
    return buildService({
      metadata: metadataOf(controller, { name: pod }),
      selector: { ...selectorLabels('controller', name), [POD_NAME]: pod },
      portName: components.controller.app,
      defaultPort: slurmctldPort(controller),
      isEarly: true,
    })
  })
}

/** The StatefulSet controller writes it. */
const POD_NAME = 'statefulset.kubernetes.io/pod-name'

/** Where the others find a slurmctld. */
export function memberAddress(controller: Pick<ControllerWithDefaults, 'metadata' | 'spec'>, ordinal: number): string {
  const { name, namespace } = controller.metadata
  if (replicasOf(controller) === 1) return controllerPodHost(name, ordinal, namespace)
  return shortServiceHost(controllerPodName(name, ordinal), namespace)
}

function metadataOf(controller: Wanted, input: Pick<MetadataInput, 'name' | 'extra' | 'labels'>) {
  const { namespace, name: instance } = controller.metadata
  const common = { namespace, instance, component: 'controller', on: 'object', resource: controller.metadata } as const
  return { ...buildMetadata({ ...common, ...input }), ownerReferences: [buildControllerReference(controller)] }
}
