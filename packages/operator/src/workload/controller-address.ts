import { controllerServiceName, ports, shortServiceHost, type Controller } from '@slurm-operator/api'
import { servicePort } from './build-service.ts'

/** Where daemons reach slurmctld: its front Service, or the host outside of Kubernetes. */
export function controllerAddress(controller: Controller): { readonly host: string; readonly port: number } {
  const { metadata, spec } = controller
  if (spec.external === true) {
    return { host: spec.externalConfig?.host ?? '', port: spec.externalConfig?.port || ports.slurmctld }
  }
  const host = shortServiceHost(controllerServiceName(metadata.name), metadata.namespace)
  return { host, port: servicePort(spec.service, ports.slurmctld) }
}
