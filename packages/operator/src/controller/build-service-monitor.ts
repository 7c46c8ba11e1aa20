import {
  components,
  controllerServiceMonitorName,
  selectorLabels,
  type ControllerWithDefaults,
} from '@slurm-operator/api'
import { buildControllerReference } from '@slurm-operator/kube'
import { buildMetadata } from '../workload/build-metadata.ts'
import type { ServiceMonitor } from '../world/service-monitor.ts'
import type { Kept } from '../world/trim.ts'
import { scrapeLabel } from './build-services.ts'

const usualPaths = ['/metrics/jobs', '/metrics/nodes', '/metrics/partitions', '/metrics/scheduler']

/** Whether Prometheus should read slurmctld. */
export function wantsServiceMonitor({ spec }: Pick<ControllerWithDefaults, 'spec'>): boolean {
  return !spec.external && spec.metrics.enabled && spec.metrics.serviceMonitor?.enabled === true
}

/** What tells the Prometheus operator to read slurmctld through the Service in front, and only through that. */
export function buildServiceMonitor(controller: Kept<ControllerWithDefaults>): ServiceMonitor {
  const { metadata, spec } = controller
  const { serviceMonitor = { enabled: false } } = spec.metrics
  const { namespace, name: instance } = metadata
  const { labels, annotations, endpoints, interval, scrapeTimeout } = serviceMonitor
  const common = { namespace, instance, component: 'controller', on: 'object', resource: metadata } as const
  const extra = { ...(labels && { labels }), ...(annotations && { annotations }) }
  const paths = endpoints?.length ? endpoints : usualPaths.map((path) => ({ path }))
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: {
      ...buildMetadata({ ...common, name: controllerServiceMonitorName(instance), extra }),
      ownerReferences: [buildControllerReference(controller)],
    },
    spec: {
      selector: { matchLabels: { ...selectorLabels('controller', instance), ...scrapeLabel } },
      namespaceSelector: { matchNames: [namespace] },
      endpoints: paths.map((endpoint) => buildEndpoint(endpoint, { interval, scrapeTimeout })),
    },
  }
}

interface Timing {
  readonly interval?: string | undefined
  readonly scrapeTimeout?: string | undefined
}

function buildEndpoint(endpoint: Timing & { readonly path: string }, usual: Timing) {
  const interval = endpoint.interval ?? usual.interval
  const scrapeTimeout = endpoint.scrapeTimeout ?? usual.scrapeTimeout
  return {
    path: endpoint.path,
    port: components.controller.app,
    scheme: 'http',
    ...(interval && { interval }),
    ...(scrapeTimeout && { scrapeTimeout }),
  }
}
