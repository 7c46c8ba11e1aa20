import { KubeError, type HttpRequest, type Transport } from '@slurm-operator/kube'

/** A way to a server that tests can break, whatever the server is. */
export interface BreakableTransport {
  readonly transport: Transport
  /** End all streams that are open now, as a lost connection does. */
  readonly breakStreams: () => void
  /** End all streams and let nothing through. */
  readonly cut: () => void
  readonly mend: () => void
  /** What was sent so far: method and path without its query. */
  readonly sent: readonly string[]
}

/** Put something breakable before a transport. */
export function breakableTransport(inner: Transport): BreakableTransport {
  const sent: string[] = []
  let streams = new AbortController()
  let isCut = false
  const breakStreams = () => {
    streams.abort(new Error('broken on purpose'))
    streams = new AbortController()
  }
  const send: Transport['send'] = async (request) => {
    if (isCut) throw unreachable(request)
    sent.push(`${request.method} ${request.path.replace(/\?.*/, '')}`)
    if (request.use === 'call') return inner.send(request)
    const signals = [streams.signal, ...(request.signal === undefined ? [] : [request.signal])]
    return inner.send({ ...request, signal: AbortSignal.any(signals) })
  }
  const setCut = (next: boolean) => {
    isCut = next
    if (isCut) breakStreams()
  }
  return { transport: { ...inner, send }, sent, breakStreams, cut: () => setCut(true), mend: () => setCut(false) }
}

function unreachable({ purpose }: HttpRequest): KubeError {
  return new KubeError({ reason: 'Unreachable', request: purpose, detail: 'cut on purpose', mayHaveHappened: false })
}
