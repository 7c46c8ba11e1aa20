import type { Client, Clock } from '@slurm-operator/kube'
import {
  createWebhookServer,
  parseListenAddress,
  whyNotReached,
  type Component,
  type HealthCheck,
  type Logger,
  type Metrics,
} from '@slurm-operator/runtime'
import { buildHooks } from '../admission/hooks.ts'
import { createReferenceReader } from '../admission/reference-reader.ts'
import { createCertificateSource, type CertificateSettings } from './webhook-certificates.ts'

/** What the flags say about the admission server. */
export interface AdmissionSettings extends CertificateSettings {
  readonly 'server-addr': string
  readonly namespaces: readonly string[]
}

/** What the admission server needs from the program it runs in. */
export interface AdmissionTools {
  readonly client: Client
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'forWebhooks' | 'forCertificates'>
  /** Told when it listens; the port may have been chosen by the system. */
  readonly onListening?: (port: number) => void
}

/** The admission server as a part of a program: it runs in every replica, leader or not. */
export interface AdmissionServer {
  readonly component: Component
  /** Ready once our own port answers with TLS. */
  readonly check: HealthCheck
}

/** Until the API server has heard that this replica goes, it still asks it. */
const FAREWELL_MS = 5_000

/** Make the admission server that the flags ask for. Throws an error for people. */
export function createAdmissionServer(settings: AdmissionSettings, tools: AdmissionTools): AdmissionServer {
  const { client, clock, log, metrics } = tools
  const listen = parseListenAddress(settings['server-addr'])
  if (listen === 'off') throw new Error('Cannot serve webhooks without an address. Give --server-addr=:9443.')
  const reader = createReferenceReader(client, clock)
  let port = listen.port
  const component = createWebhookServer({
    listen,
    clock,
    hooks: buildHooks({ reader, clock, log, namespaces: settings.namespaces }),
    certificates: createCertificateSource(settings, { client, clock, log, reads: metrics.forCertificates }),
    observer: metrics.forWebhooks,
    farewell: { clock, forMs: FAREWELL_MS },
    onFailure: (error) => log.error('a review failed', { error }),
    onListening: (address) => {
      port = address.port
      log.info('webhooks are served', { port })
      tools.onListening?.(port)
    },
  })
  const why = async () => component.whyNotReady() ?? (await whyNotReached(port, listen.host))
  return { component, check: { name: 'webhook', why } }
}
