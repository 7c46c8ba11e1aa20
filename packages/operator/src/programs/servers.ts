/**
 * Health, metrics and profiles, as the flags ask for; `0` or nothing as an address switches one off.
 *
 * @module
 */
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
  type HealthCheck,
  type Logger,
  type Metrics,
} from '@slurm-operator/runtime'

/** What servers need of the program that they run in. */
export interface ServerTools {
  readonly clock: Clock
  readonly log: Logger
}

/** The server for probes. */
export function healthServers(
  address: string,
  { clock, log }: ServerTools,
  checks: { readonly live?: readonly HealthCheck[]; readonly ready: readonly HealthCheck[] },
): Component[] {
  const listen = parseListenAddress(address)
  if (listen === 'off') return []
  return [createHealthServer({ listen, clock, ...checks, onFailure: (error) => log.warn('a probe failed', { error }) })]
}

/** The server for Prometheus; with `metrics-secure` for those only whom the API server knows and allows. */
export function metricsServers(
  values: { readonly 'metrics-addr': string; readonly 'metrics-secure': boolean },
  { clock, log, metrics, client }: ServerTools & { readonly metrics: Metrics; readonly client: Client },
): Component[] {
  const listen = parseListenAddress(values['metrics-addr'])
  if (listen === 'off') return []
  const onFailure = (error: unknown) => log.warn('metrics could not be read', { error })
  if (!values['metrics-secure']) return [createMetricsServer({ listen, metrics, onFailure })]
  const authorize = createAuthorize(createAccessReviews(client), clock, onFailure)
  const certificates = selfSigned(['localhost'], clock)
  return [createMetricsServer({ listen, metrics, onFailure, authorize, certificates })]
}

const PROFILES_ADDRESS = 'localhost:6060'

/** The server for profiles, if there shall be one. */
export function profilingServers(
  values: { readonly profile: boolean; readonly 'profile-addr': string },
  { clock, log }: ServerTools,
): Component[] {
  const listen = values.profile ? parseListenAddress(values['profile-addr'] || PROFILES_ADDRESS) : 'off'
  if (listen === 'off') return []
  return [createProfilingServer({ listen, clock, onFailure: (error) => log.warn('a profile failed', { error }) })]
}
