import { defineResource, type KubeObject, type JsonObject } from '@slurm-operator/kube'

/** The Prometheus operator's kind, as far as we write it. */
export interface ServiceMonitor extends KubeObject {
  readonly spec: JsonObject
}

/** It exists only where the Prometheus operator is installed. */
export const serviceMonitorResource = defineResource<ServiceMonitor>({
  group: 'monitoring.coreos.com',
  version: 'v1',
  plural: 'servicemonitors',
  kind: 'ServiceMonitor',
  namespaced: true,
})
