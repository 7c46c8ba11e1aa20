import type { Client, Clock } from '@slurm-operator/kube'
import {
  createAccessReviews,
  createAuthorize,
  createHealthServer,
  createMetricsServer,
  createProfilingServer,
  parseListenAddress,
  selfSigned,
  type Component,
  type Logger,
  type Loop,
  type Metrics,
} from '@slurm-operator/runtime'
import type { ManagerSettings } from './run-manager.ts'

/** What the servers of the manager tell and need. */
interface ServersOptions {
  readonly values: ManagerSettings
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly client: Client
  readonly loops: readonly Loop[]
  readonly whyNotReady: () => string | undefined
}

/** Health, metrics and profiles, as the flags ask for. */
export function createServers(options: ServersOptions): readonly Component[] {
  return [...healthServer(options), ...metricsServer(options), ...profilingServer(options)]
}

function healthServer({ values, clock, log, loops, whyNotReady }: ServersOptions): Component[] {
  const listen = parseListenAddress(values['health-addr'])
  if (listen === 'off') return []
  const live = loops.map(({ name, whyUnhealthy }) => ({ name, why: whyUnhealthy }))
  const ready = [{ name: 'caches', why: whyNotReady }]
  return [
    createHealthServer({ listen, clock, live, ready, onFailure: (error) => log.warn('a probe failed', { error }) }),
  ]
}

function metricsServer({ values, clock, log, metrics, client }: ServersOptions): Component[] {
  const listen = parseListenAddress(values['metrics-addr'])
  if (listen === 'off') return []
  const onFailure = (error: unknown) => log.warn('metrics could not be read', { error })
  if (!values['metrics-secure']) return [createMetricsServer({ listen, metrics, onFailure })]
  const authorize = createAuthorize(createAccessReviews(client), clock, onFailure)
  const certificates = selfSigned(['localhost'], clock)
  return [createMetricsServer({ listen, metrics, onFailure, authorize, certificates })]
}

function profilingServer({ values, clock, log }: ServersOptions): Component[] {
  if (!values.profile) return []
  const listen = parseListenAddress(values['profile-addr'] || 'localhost:6060')
  if (listen === 'off') return []
  return [createProfilingServer({ listen, clock, onFailure: (error) => log.warn('a profile failed', { error }) })]
}
