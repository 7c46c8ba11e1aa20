/**
 * Test data: a server that misbehaves on request, and a clock that obeys.
 *
 * @module
 */
import { createServer, type ServerOptions } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { createClusterKeys, issue } from '@slurm-operator/local'
import { HiddenText } from '../config/hidden-text.ts'
import type { ConnectionSettings } from '../config/settings.ts'
import type { Clock } from './clock.ts'
import type { HttpRequest } from './http.ts'

/** One authority for all tests of a file. */
const keys = await createClusterKeys()
const { authority } = keys

/** A certificate that this authority signed. */
export async function certificateFor(commonName: string, servesAs?: readonly string[]) {
  return issue(keys, { commonName, ...(servesAs !== undefined && { servesAs }) })
}

/** What the server does with one request. */
export type Step = (request: IncomingMessage, response: ServerResponse) => void

/** A request as the server saw it. */
interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly client: string | undefined
}

/** A server that does what it is told. */
export interface RudeServer extends AsyncDisposable {
  readonly settings: ConnectionSettings
  readonly port: number
  readonly seen: readonly SeenRequest[]
  readonly connections: () => number
  /** What to do with the next requests, one each; the last step stays for all others. */
  readonly script: (...steps: readonly Step[]) => void
  /** Cut so many of the next connections before a byte of a request can be read. */
  readonly refuse: (connections: number) => void
}

/** Answer at once. */
export function answer(status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Step {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

/** Answer with a Status. */
export function fail(code: number, reason: string, headers: Readonly<Record<string, string>> = {}, details = {}): Step {
  return answer(
    code,
    { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: `told so: ${reason}`, reason, code, details },
    headers,
  )
}

/** Read the request, then cut the connection without an answer. */
export const cut: Step = (request) => {
  request.resume()
  request.once('end', () => request.socket.destroy())
}

/** Never answer. */
export const hang: Step = () => {}

/** Begin an answer with these pieces and then leave it open, or cut it. */
export function stream(pieces: readonly string[], then: 'hang' | 'cut' | 'end'): Step {
  return (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    for (const piece of pieces) response.write(piece)
    if (then === 'end') response.end()
    if (then === 'cut') setImmediate(() => request.socket.destroy())
    if (then === 'hang') response.flushHeaders()
  }
}

/** Start one on loopback. */
export async function startRudeServer(tls: ServerOptions = {}): Promise<RudeServer> {
  const serving = await certificateFor('server', ['127.0.0.1', 'localhost'])
  let steps: readonly Step[] = [answer(200)]
  let [refusals, connections] = [0, 0]
  const seen: SeenRequest[] = []
  const sockets = new Set<Socket>()

  const server = createServer({
    cert: serving.certificate,
    key: serving.key,
    requestCert: true,
    rejectUnauthorized: false,
    ca: authority.certificate,
    ...tls,
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (refusals > 0) {
      refusals--
      socket.destroy()
    } else connections++
  })
  server.on('tlsClientError', () => {}) // clients may well give up
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const [step = answer(200), ...others] = steps
    if (others.length > 0) steps = others
    void note(request, seen)
    step(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    seen,
    settings: settingsFor(port),
    connections: () => connections,
    script: (...next) => (steps = next),
    refuse: (count) => (refusals = count),
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy())
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Settings that trust the test authority. */
export function settingsFor(port: number, more: Partial<ConnectionSettings> = {}): ConnectionSettings {
  return {
    server: `https://127.0.0.1:${port}`,
    namespace: 'default',
    authority: { kind: 'data', pem: new HiddenText(authority.certificate) },
    skipTlsVerify: false,
    login: { kind: 'none' },
    ...more,
  }
}

async function note(request: IncomingMessage, seen: SeenRequest[]): Promise<void> {
  const { method = '', url = '', headers } = request
  const client = (request.socket as TLSSocket).getPeerCertificate?.().subject?.CN
  const entry = { method, path: url, headers, body: '', client: typeof client === 'string' ? client : undefined }
  seen.push(entry)
  request.on('error', () => {}) // cut connections end here
  request.on('data', (piece: Buffer) => (entry.body += piece.toString('utf8')))
}

/** A plain request. */
export function httpRequest(more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', path: '/', headers: {}, purpose: 'ask', use: 'call', timeoutMs: 5_000, ...more }
}

/** A clock that stands still until it is told to go on. */
export interface ManualClock extends Clock {
  /** Let time pass; what is due happens in its order. */
  readonly advance: (ms: number) => Promise<void>
}

/** A clock that begins at some moment of 2026. */
export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let passed = 0
  let timers: { readonly at: number; readonly action: () => void }[] = []
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    now: () => startMs + passed,
    monotonic: () => passed,
    breathe: async () => {},
    schedule(delayMs, action) {
      const timer = { at: passed + Math.max(0, delayMs), action }
      timers.push(timer)
      return () => (timers = timers.filter((one) => one !== timer))
    },
    async advance(ms) {
      const end = passed + ms
      for (;;) {
        await settle()
        const next = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0]
        if (next === undefined) break
        passed = Math.max(passed, next.at)
        timers = timers.filter((one) => one !== next)
        next.action()
      }
      passed = end
      await settle()
    },
  }
}

/** Everything that comes. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
