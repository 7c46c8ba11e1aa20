import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { KubeError } from '../errors/kube-error.ts'
import type { Clock } from './clock.ts'
import type { HttpRequest } from './http.ts'

const KEEP_ALIVE_MS = 15_000

/** Whatever may end a request before its time: deadline, silence, a caller who gives up. */
export interface Guard {
  /** End the request if the next thing does not happen in time. */
  readonly expect: (withinMs: number, what: string) => void
  /** It did happen. */
  readonly relax: () => void
  /** The request is over, one way or the other. */
  readonly end: () => void
  /** The error for people: our own reason for ending it, if we did, or what went wrong on the wire. */
  readonly explain: (error: unknown) => KubeError
}

/** Watch over one request from before it is sent. */
export function createGuard(outgoing: ClientRequest, request: HttpRequest, clock: Clock): Guard {
  const { purpose, signal } = request
  let ours: KubeError | undefined
  let isSent = false
  let cancel = () => {}

  const stop = (reason: 'Timeout' | 'Aborted' | 'Unreachable', detail: string, cause?: unknown) => {
    ours ??= new KubeError({ reason, request: purpose, detail, mayHaveHappened: isSent }, cause)
    outgoing.destroy(ours)
  }
  const abort = () => stop('Aborted', 'the caller gave up', signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted === true) abort()
  whenConnected(outgoing, () => {
    if (request.maySend?.() === false) return stop('Aborted', 'it may not be sent any more')
    isSent = true
    outgoing.end(request.body)
  })

  return {
    expect(withinMs, what) {
      cancel()
      const reason = request.use === 'watch' && isSent ? 'Unreachable' : 'Timeout'
      cancel = clock.schedule(withinMs, () => stop(reason, `${what} within ${Math.round(withinMs / 100) / 10} s`))
    },
    relax: () => cancel(),
    end() {
      cancel()
      signal?.removeEventListener('abort', abort)
    },
    explain: (error) => ours ?? explainWire(error, purpose, isSent),
  }
}

/** Until the connection stands, nothing of the request is sent: it may have waited long for a token or a free connection. */
function whenConnected(outgoing: ClientRequest, send: () => void): void {
  outgoing.once('socket', (socket: Socket) => {
    socket.setKeepAlive(true, KEEP_ALIVE_MS) // finds peers that vanished without a word
    const isSecure = socket instanceof TLSSocket
    const stands = !socket.connecting && (!isSecure || socket.getCipher() !== undefined)
    if (stands) send()
    else socket.once(isSecure ? 'secureConnect' : 'connect', send)
  })
}

function explainWire(error: unknown, purpose: string, isSent: boolean): KubeError {
  if (error instanceof KubeError) return error
  const { code, message } = error as NodeJS.ErrnoException
  const detail = isSent ? `the connection broke: ${message}` : `no connection: ${message || (code ?? 'unknown error')}`
  return new KubeError({ reason: 'Unreachable', request: purpose, detail, mayHaveHappened: isSent }, error)
}
