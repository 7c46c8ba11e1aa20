/**
 * Listens to what the operator asks of the two servers, past all faults: only what arrives is counted.
 *
 * @module
 */
import type { HttpRequest, Transport as KubeTransport } from '@slurm-operator/kube'
import type { Transport as SlurmTransport, WireRequest } from '@slurm-operator/slurm'

/** A write that arrived. */
interface ArrivedWrite {
  readonly target: 'kubernetes' | 'slurm'
  readonly atMs: number
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly status: number
}

/** Who wants to know. */
export interface Listener {
  /** Just before a write to Kubernetes is carried out. The answer is told afterwards, with its status. */
  readonly before?: (request: Pick<HttpRequest, 'method' | 'path'>) => ((status: number) => void) | undefined
  readonly arrived?: (write: ArrivedWrite) => void
  /** Slurm has answered a question: what the answer says may be as old as it was on its way. */
  readonly answered?: (answer: { readonly atMs: number; readonly tookMs: number }) => void
}

/** The same server, overheard. */
export function tapKubernetes(inner: KubeTransport, now: () => number, listeners: readonly Listener[]): KubeTransport {
  return {
    ...inner,
    send: async (request) => {
      if (request.method === 'GET') return inner.send(request)
      const after = listeners.flatMap(({ before }) => before?.(request) ?? [])
      const answer = await inner.send(request)
      for (const tell of after) tell(answer.status)
      const { method, path, body } = request
      const write: ArrivedWrite = { target: 'kubernetes', atMs: now(), method, path, body, status: answer.status }
      for (const { arrived } of listeners) arrived?.(write)
      return answer
    },
  }
}

/** The same slurmrestd, overheard. */
export function tapSlurm(inner: SlurmTransport, now: () => number, listeners: readonly Listener[]): SlurmTransport {
  return {
    close: () => inner.close(),
    send: async (request: WireRequest, signal) => {
      const askedAtMs = now()
      if (request.method === 'GET') {
        const answer = await inner.send(request, signal)
        for (const { answered } of listeners) answered?.({ atMs: now(), tookMs: now() - askedAtMs })
        return answer
      }
      const { method, path, body } = request
      for (const { arrived } of listeners) arrived?.({ target: 'slurm', atMs: now(), method, path, body, status: 0 })
      return inner.send(request, signal)
    },
  }
}
