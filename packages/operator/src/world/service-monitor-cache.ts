import type { Live } from '@slurm-operator/kube'
import type { Cache } from '@slurm-operator/runtime'
import { createCache, type CacheWorld } from './caches.ts'
import { indexes } from './indexes.ts'
import { serviceMonitorResource, type ServiceMonitor } from './service-monitor.ts'
import { keepWhole, type Kept } from './trim.ts'

/** The ServiceMonitors of the Kubernetes cluster. */
export type ServiceMonitorCache = Cache<Live<ServiceMonitor>, Kept<ServiceMonitor>>

/** Make the cache; only where the API server knows the kind. */
export function createServiceMonitorCache(world: CacheWorld): ServiceMonitorCache {
  return createCache(world, serviceMonitorResource, { keep: keepWhole, indexes: { owner: indexes.owner } })
}
