import { KubeError, type HttpAnswer, type HttpRequest, type Transport } from '@slurm-operator/kube'
import { BytePipe } from '../../wire/byte-pipe.ts'
import { answerRequest, type Answer } from '../answer-request.ts'
import type { ServerCore } from '../core.ts'
import type { StreamReply } from '../requests/call.ts'
import type { ServerView } from '../store/view.ts'

/** The way to a server in the same process: no sockets, no waiting. */
export function createInProcessTransport(core: ServerCore, view: ServerView): Transport {
  return {
    host: 'in-process',
    close: () => {},
    send: async (request) => {
      if (request.signal?.aborted === true) throw aborted(request)
      const answer = await answerRequest(core, request, view)
      if (request.signal?.aborted) throw aborted(request)
      return toHttp(core, answer, request)
    },
  }
}

function aborted({ purpose, signal }: HttpRequest): KubeError {
  return new KubeError(
    { reason: 'Aborted', request: purpose, detail: 'the caller gave up', mayHaveHappened: true },
    signal?.reason,
  )
}

function toHttp(core: ServerCore, { reply, warnings }: Answer, request: HttpRequest): HttpAnswer {
  const headers =
    warnings.length === 0 ? {} : { warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(', ') }
  switch (reply.kind) {
    case 'text':
      return {
        status: reply.status,
        headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
        body: oneChunk(reply.text),
      }
    case 'document': {
      const text = JSON.stringify(reply.body)
      return {
        status: reply.status,
        headers: { 'content-type': reply.contentType ?? 'application/json', ...retryAfter(reply.body), ...headers },
        body: oneChunk(text),
      }
    }
    case 'stream':
      return {
        status: 200,
        headers: { 'content-type': 'application/json', ...headers },
        body: startStream(core, reply, request),
      }
  }
}

function retryAfter(body: unknown): Record<string, string> {
  const seconds = (body as { details?: { retryAfterSeconds?: number } } | null)?.details?.retryAfterSeconds
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** A watch begins when it is answered, not when somebody reads it. */
function startStream(
  { clock }: ServerCore,
  { start }: StreamReply,
  { purpose, signal, idleMs }: HttpRequest,
): BytePipe {
  let stop = () => {}
  const pipe = new BytePipe({ clock, purpose, signal, idleMs, closed: () => stop() })
  stop = start({ write: (event) => pipe.push(`${JSON.stringify(event)}\n`), end: () => pipe.end() })
  if (!pipe.isOpen) stop()
  return pipe
}
