import { Agent as PlainAgent, request as plainRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { createAuthority, issueCertificate } from '../certificates/issue-certificate.ts'
import type { CertificateSource } from '../certificates/certificate-source.ts'
import { goodNow } from '../certificates/gen.ts'
import type { KeyPair } from '../certificates/key-pair.ts'
import { untilAborted } from '../supervise/until-aborted.ts'
import type { Server, ServerOptions } from './server.ts'

/** Test data: any free port of this machine. */
export const anyPort = { host: '127.0.0.1', port: 0 } as const

/** A server that runs for one test. */
export interface Running extends AsyncDisposable {
  readonly server: Server
  readonly port: number
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
  readonly stop: () => void
  readonly abort: () => void
}

/** Run a server as the manager does. It must tell `onListening` what it is given here. */
export async function runServer(
  make: (onListening: NonNullable<ServerOptions['onListening']>) => Server,
): Promise<Running> {
  const listening = Promise.withResolvers<number>()
  const ready = Promise.withResolvers<void>()
  const [stopping, aborting] = [new AbortController(), new AbortController()]
  const server = make(({ port }) => listening.resolve(port))
  const life = { stop: stopping.signal, abort: aborting.signal, ready: ready.resolve }
  const ended = server.run(life)
  ended.catch((error: unknown) => listening.reject(error instanceof Error ? error : new Error(String(error))))
  const port = await listening.promise
  await ready.promise
  const stop = () => stopping.abort()
  const abort = () => aborting.abort()
  const dispose = async () => {
    stop()
    abort()
    await ended
  }
  return { server, port, ended, stop, abort, [Symbol.asyncDispose]: dispose }
}

/** An authority and certificates of it for 127.0.0.1, and a source that hands out whatever it is given. */
export async function certificatesForTests(): Promise<{
  readonly authority: string
  readonly issue: () => Promise<KeyPair>
  readonly source: CertificateSource
  readonly use: (pair: KeyPair) => void
}> {
  const authority = await createAuthority('test authority', goodNow())
  const issue = () =>
    issueCertificate(authority, { commonName: 'test', servesAs: ['127.0.0.1', 'localhost'] }, goodNow())
  const first = await issue()
  let use: (pair: KeyPair) => void = () => {}
  const source: CertificateSource = {
    run: async (take, signal) => {
      use = take
      take(first)
      await untilAborted(signal)
    },
  }
  return { authority: authority.certificate, issue, source, use: (pair) => use(pair) }
}

/** What came back. */
export interface Reply {
  readonly code: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Tells the connection it came through. */
  readonly connection: number | undefined
}

/** What to send. */
export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A client with connections of its own. With an authority it speaks TLS and verifies whom it talks to. */
export function createTestClient(port: number, authority?: string) {
  const options = { keepAlive: true, maxSockets: 100 }
  const agent = authority === undefined ? new PlainAgent(options) : new SecureAgent({ ...options, ca: authority })
  return {
    close: () => agent.destroy(),
    send: (path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Reply> => {
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      const target = { host: '127.0.0.1', port, path, method, headers, agent, timeout: 10_000 }
      const request = authority === undefined ? plainRequest(target) : secureRequest(target)
      request.once('timeout', () => request.destroy(new Error('no answer within 10 s')))
      request.once('error', reject)
      request.once('response', (response) => {
        const chunks: Buffer[] = []
        const connection = response.socket.localPort
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ code: response.statusCode ?? 0, headers: response.headers, text, connection })
        })
      })
      request.end(body)
      return promise
    },
  }
}
