import { KubeError, type HttpAnswer, type HttpRequest, type Random, type Transport } from '@slurm-operator/kube'

/** How rough the way to the server is: chances from 0 to 1. Tests change them while it is in use. */
export interface Roughness {
  refused: number
  error500: number
  error429: number
  /** Of a watch, at every piece that arrives. */
  cut: number
}

/** A transport for tests that fails on request, between a client and a real or a simulated server. */
export function roughTransport(inner: Transport, roughness: Roughness, random: Random): Transport {
  const answer = (status: number): HttpAnswer => ({
    status,
    headers: { 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '1' }) },
    body: bytes(JSON.stringify({ kind: 'Status', status: 'Failure', code: status, message: 'rough' })),
  })
  return {
    ...inner,
    send: async (request) => {
      if (random() < roughness.refused) throw unreachable(request, 'refused on purpose')
      if (random() < roughness.error500) return answer(500)
      if (random() < roughness.error429) return answer(429)
      const real = await inner.send(request)
      return request.use === 'watch' ? { ...real, body: cutting(real.body, request, roughness, random) } : real
    },
  }
}

async function* cutting(
  body: HttpAnswer['body'],
  request: HttpRequest,
  roughness: Roughness,
  random: Random,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of body) {
    if (random() < roughness.cut) {
      yield chunk.subarray(0, Math.floor(chunk.length * random())) // often in the middle of a line
      throw unreachable(request, 'cut on purpose')
    }
    yield chunk
  }
}

async function* bytes(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text)
}

function unreachable({ purpose }: HttpRequest, detail: string): KubeError {
  return new KubeError({ reason: 'Unreachable', request: purpose, detail })
}
