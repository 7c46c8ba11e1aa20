/**
 * Puts the webhook together: connection, admission server, probes, metrics. It has no loops and no caches, so nothing
 * waits for leadership: every replica serves, and they agree on certificates through their Secret.
 *
 * @module
 */
import { createClient, loadSettings, systemClock, type Client, type Clock } from '@slurm-operator/kube'
import {
  createAccessReviews,
  createAuthorize,
  createHealthServer,
  createLogger,
  createMetrics,
  createMetricsServer,
  logSettingsFrom,
  Manager,
  parseListenAddress,
  selfSigned,
  type Component,
  type FlagValues,
  type HealthCheck,
  type Logger,
  type Metrics,
} from '@slurm-operator/runtime'
import type { webhookFlags } from './webhook-flags.ts'
import { createAdmissionServer } from './webhook-server.ts'

/** The values of the flags. */
type WebhookSettings = FlagValues<typeof webhookFlags>

interface Command {
  readonly values: WebhookSettings
  readonly given: ReadonlySet<string>
}

interface Tools {
  readonly asked: AbortSignal
  readonly useLogger: (log: Logger) => void
  readonly onListening?: (port: number) => void
}

interface Parts {
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly client: Client
}

/** Run until asked to stop. */
export async function runWebhook({ values, given }: Command, { asked, useLogger, onListening }: Tools) {
  const clock = systemClock
  const log = createLogger({ clock, settings: logSettingsFrom(values, given) })
  useLogger(log)
  const metrics = createMetrics()
  const client = createClient(await loadSettings({ kubeconfig: values.kubeconfig }), {
    userAgent: 'slurm-operator-webhook',
    onRequest: metrics.onRequest,
    onWarning: (text) => log.warn(text),
  })
  const parts = { clock, log, metrics, client }
  try {
    const admission = createAdmissionServer(values, { ...parts, ...(onListening !== undefined && { onListening }) })
    const servers = [
      ...healthServer(values, parts, admission.check),
      ...metricsServer(values, parts),
      admission.component,
    ]
    return await new Manager({ clock, log, servers }).run(asked)
  } finally {
    client.close()
  }
}

function healthServer(values: WebhookSettings, { clock, log }: Parts, check: HealthCheck): Component[] {
  const listen = parseListenAddress(values['health-addr'])
  if (listen === 'off') return []
  const onFailure = (error: unknown) => log.warn('a probe failed', { error })
  return [createHealthServer({ listen, clock, ready: [check], onFailure })]
}

function metricsServer(values: WebhookSettings, { clock, log, metrics, client }: Parts): Component[] {
  const listen = parseListenAddress(values['metrics-addr'])
  if (listen === 'off') return []
  const onFailure = (error: unknown) => log.warn('metrics could not be read', { error })
  if (!values['metrics-secure']) return [createMetricsServer({ listen, metrics, onFailure })]
  const authorize = createAuthorize(createAccessReviews(client), clock, onFailure)
  return [
    createMetricsServer({ listen, metrics, onFailure, authorize, certificates: selfSigned(['localhost'], clock) }),
  ]
}
