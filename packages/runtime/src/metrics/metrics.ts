/**
 * The metrics of one program: one registry, and a plain object of functions for everybody who has something to tell.
 * Nobody else knows prom-client, except those who add metrics of their own to the registry.
 *
 * @module
 */
import type { FinishedRequest } from '@slurm-operator/kube'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { CertificateReads } from '../certificates/certificate-source.ts'
import type { HookObserver } from '../webhook/hook.ts'
import { createCollectors, type Collectors } from './collectors.ts'
import { createLoopMetrics, type LoopMetrics } from './loop-metrics.ts'
import { metricTable, type MetricRow } from './metric-table.ts'

/** Everything that can be measured. */
export interface Metrics {
  /** For metrics of the program's own. */
  readonly registry: Registry
  /** For a loop; call it once for each. */
  readonly forLoop: (name: string) => Omit<LoopMetrics, 'refresh'>
  readonly forWebhooks: HookObserver
  readonly forCertificates: CertificateReads
  /** For the client: every request that has ended. */
  readonly onRequest: (finished: FinishedRequest) => void
  /** For the election of that name: whether we lead. */
  readonly forElection: (name: string) => (isLeading: boolean) => void
  /** What Prometheus reads. */
  readonly text: () => Promise<string>
}

/** The event loop's lag is looked at ten times a second; more often would be our largest consumer at rest. */
const EVENT_LOOP_PRECISION_MS = 100

/** Make the metrics of a program. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const collectors = createCollectors(registry)
  const loops: LoopMetrics[] = []
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS })
  return {
    registry,
    forLoop: (name) => {
      const loop = createLoopMetrics(collectors, name)
      loops.push(loop)
      return loop
    },
    forWebhooks: webhookObserver(collectors),
    forCertificates: {
      read: () => collectors.counter('certwatcher_read_certificate_total').inc(),
      failed: () => collectors.counter('certwatcher_read_certificate_errors_total').inc(),
    },
    onRequest: ({ code, method, host }) =>
      collectors.counter('rest_client_requests_total').inc({ code: code ?? '<error>', method, host }),
    forElection: (name) => electionObserver(collectors, name),
    text: async () => {
      for (const loop of loops) loop.refresh()
      return registry.metrics()
    },
  }
}

/** All metrics of a registry, those of Node.js and of the program included: for the documentation. */
export function listMetrics({ registry }: Pick<Metrics, 'registry'>): MetricRow[] {
  const ours = new Map<string, MetricRow>(metricTable.map((row) => [row.name, row]))
  return registry.getMetricsAsArray().map((metric) => ours.get(metric.name) ?? rowOf(metric))
}

function rowOf(metric: object): MetricRow {
  const { name, type, help, labelNames } = metric as { readonly labelNames?: readonly string[] } & MetricRow
  return { name, type, help, labels: labelNames ?? [] }
}

function webhookObserver({ counter, gauge, histogram }: Collectors): HookObserver {
  const inFlight = gauge('controller_runtime_webhook_requests_in_flight')
  return {
    started: (webhook) => inFlight.inc({ webhook }),
    finished: (webhook, code, durationMs) => {
      inFlight.dec({ webhook })
      counter('controller_runtime_webhook_requests_total').inc({ webhook, code })
      histogram('controller_runtime_webhook_latency_seconds').observe({ webhook }, durationMs / 1000)
    },
    failed: () => counter('controller_runtime_webhook_panics_total').inc(),
  }
}

function electionObserver({ gauge }: Collectors, name: string): (isLeading: boolean) => void {
  const status = gauge('leader_election_master_status')
  status.set({ name }, 0)
  return (isLeading) => status.set({ name }, isLeading ? 1 : 0)
}
