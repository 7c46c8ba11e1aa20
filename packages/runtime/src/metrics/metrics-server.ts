import type { CertificateSource } from '../certificates/certificate-source.ts'
import { sendAnswer, textAnswer, type Answer } from '../serving/answer.ts'
import { createServer, type Server, type ServerOptions } from '../serving/server.ts'
import type { Admission, Authorize } from './authorize.ts'
import type { Metrics } from './metrics.ts'

/** What a metrics server is made of. */
export interface MetricsServerOptions extends Pick<ServerOptions, 'listen' | 'onListening' | 'onFailure'> {
  readonly metrics: Pick<Metrics, 'registry' | 'text'>
  /** With it the server speaks TLS; `selfSigned` will do where nobody gave a certificate. */
  readonly certificates?: CertificateSource
  /** Without it everybody may read. */
  readonly authorize?: Authorize
}

const PATH = '/metrics'

/** The server that Prometheus reads. It has one path. */
export function createMetricsServer(options: MetricsServerOptions): Server {
  const { metrics, authorize = async () => 'admitted' as const } = options
  return createServer({
    ...options,
    name: 'metrics server',
    handle: async (request, response) => {
      if (request.url?.split('?')[0] !== PATH)
        return sendAnswer(response, textAnswer(404, 'There is only /metrics here.'))
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return sendAnswer(response, textAnswer(405, 'Metrics are read with GET.', { Allow: 'GET, HEAD' }))
      }
      const refusal = refusals[await authorize(request.headers.authorization, PATH)]
      sendAnswer(response, refusal ?? (await answerWith(metrics)))
    },
  })
}

const refusals: Readonly<Record<Admission, Answer | undefined>> = {
  admitted: undefined,
  unauthenticated: textAnswer(401, 'Send a bearer token of the cluster.', { 'WWW-Authenticate': 'Bearer' }),
  forbidden: textAnswer(403, 'Your account must be allowed to get the non-resource URL /metrics.'),
  unknown: textAnswer(503, 'The API server could not be asked who you are. Try again.', { 'Retry-After': '5' }),
}

async function answerWith({ registry, text }: MetricsServerOptions['metrics']): Promise<Answer> {
  return { code: 200, body: await text(), headers: { 'Content-Type': registry.contentType } }
}
