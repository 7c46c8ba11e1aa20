/**
 * Puts the webhook together: connection, admission server, probes, metrics. It has no loops and no caches, so nothing
 * waits for leadership: every replica serves, and they agree on certificates through their Secret.
 *
 * @module
 */
import { createClient, loadSettings, systemClock } from '@slurm-operator/kube'
import {
  createLogger,
  createMetrics,
  logSettingsFrom,
  Manager,
  type FlagValues,
  type Logger,
} from '@slurm-operator/runtime'
import { healthServers, metricsServers } from './servers.ts'
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
      ...healthServers(values['health-addr'], parts, { ready: [admission.check] }),
      ...metricsServers(values, parts),
      admission.component,
    ]
    return await new Manager({ clock, log, servers }).run(asked)
  } finally {
    client.close()
  }
}
