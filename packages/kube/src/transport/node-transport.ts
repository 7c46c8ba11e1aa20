import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { createCredentials, type Access, type Credentials } from '../config/credentials.ts'
import type { ConnectionSettings } from '../config/settings.ts'
import { KubeError } from '../errors/kube-error.ts'
import { createAgents, retireAgents, type Agents, type Target } from './agents.ts'
import { systemClock, type Clock } from './clock.ts'
import { createGuard, type Guard } from './guard.ts'
import type { HttpAnswer, HttpRequest, Transport } from './http.ts'

/** What may be different from the defaults. */
export interface NodeTransportOptions {
  readonly clock?: Clock
  /** Who we say we are; default `slurm-operator-kube`. */
  readonly userAgent?: string
  /** Let the server compress its answers: less on the wire, more work on both sides. Default false. */
  readonly gzip?: boolean
  /** Connections for calls at the same time; default 32. */
  readonly maxConnections?: number
  /** Where credentials come from; default: from the settings. */
  readonly credentials?: Credentials
}

/** The way over the network: HTTP/1.1 on kept-alive connections. */
export function createNodeTransport(settings: ConnectionSettings, options: NodeTransportOptions = {}): Transport {
  const { clock = systemClock, credentials = createCredentials(settings, clock) } = options
  const target = targetOf(settings, options.maxConnections ?? 32)
  const connections = keepAgents(target)
  const sendWith = async (access: Access, request: HttpRequest): Promise<HttpAnswer> => {
    const agents = connections.with(access)
    const outgoing = openOrExplain(() => open(request, target, access, agents, options), request)
    return exchange(outgoing, request, { clock, suspect: connections.renew })
  }
  return {
    host: target.server.host,
    async send(request) {
      const access = await credentials.current()
      const answer = await sendWith(access, request)
      if (answer.status !== 401 || !(await credentials.renew(access))) return answer
      await discard(answer) // the token was replaced in this very moment: ask again with the new one
      return sendWith(await credentials.current(), request)
    },
    close: connections.renew,
  }
}

function targetOf(settings: ConnectionSettings, maxConnections: number): Target {
  return {
    server: new URL(settings.server),
    serverName: settings.serverName,
    skipTlsVerify: settings.skipTlsVerify,
    proxyUrl: settings.proxyUrl,
    maxConnections,
  }
}

/** New certificates need new connections; so does a connection that went silent, and its idle neighbours with it. */
function keepAgents(target: Target): { readonly with: (access: Access) => Agents; readonly renew: () => void } {
  let present: { readonly agents: Agents; readonly tls: Access['tls'] } | undefined
  const renew = () => {
    if (present !== undefined) retireAgents(present.agents)
    present = undefined
  }
  return {
    with({ tls }) {
      if (present?.tls !== tls) renew()
      present ??= { agents: createAgents(target, tls), tls }
      return present.agents
    },
    renew,
  }
}

/** Node refuses headers and paths with characters that do not belong there, and says which, but not their text. */
function openOrExplain(open: () => ClientRequest, { purpose }: HttpRequest): ClientRequest {
  try {
    return open()
  } catch (error) {
    const detail = `the request cannot be written: ${error instanceof Error ? error.message : 'unknown error'}`
    throw new KubeError({ reason: 'Misconfigured', request: purpose, detail }, error)
  }
}

function open(
  { method, path, headers, body, use }: HttpRequest,
  { server }: Target,
  access: Access,
  agents: Agents,
  { userAgent = 'slurm-operator-kube', gzip = false }: NodeTransportOptions,
): ClientRequest {
  const send = server.protocol === 'http:' ? httpRequest : httpsRequest
  return send(server, {
    method,
    path: server.pathname.replace(/\/+$/, '') + path,
    agent: agents[use],
    headers: {
      ...headers,
      ...(access.headers as Record<string, string | string[]>),
      'user-agent': userAgent,
      'accept-encoding': gzip ? 'gzip' : 'identity',
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
  })
}

interface ExchangeTools {
  readonly clock: Clock
  /** Called when a peer was silent for too long: others that wait for the same one should not. */
  readonly suspect: () => void
}

async function exchange(
  outgoing: ClientRequest,
  request: HttpRequest,
  { clock, suspect }: ExchangeTools,
): Promise<HttpAnswer> {
  const guard = createGuard(outgoing, request, clock)
  guard.expect(request.timeoutMs, 'no answer')
  try {
    const response = await responseTo(outgoing)
    if (request.use === 'watch') guard.relax()
    return { status: response.statusCode ?? 0, headers: headersOf(response), body: readBody(response, request, guard) }
  } catch (error) {
    guard.end()
    const explained = guard.explain(error)
    if (explained.reason === 'Timeout') suspect()
    throw explained
  }
}

async function responseTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.on('error', reject) // stays: a later error belongs to the body, but must find a listener here
  })
}

function headersOf({ headers }: IncomingMessage): Record<string, string | undefined> {
  const entries = Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]))
}

async function* readBody(response: IncomingMessage, request: HttpRequest, guard: Guard): AsyncGenerator<Uint8Array> {
  try {
    const chunks = unpacked(response)[Symbol.asyncIterator]()
    for (;;) {
      // Silence is counted only while we listen: a slow reader must not take its own slowness for a dead peer.
      if (request.idleMs !== undefined) guard.expect(request.idleMs, 'nothing was heard')
      const { value, done } = await chunks.next()
      if (request.idleMs !== undefined) guard.relax()
      if (done === true) return
      yield value as Uint8Array
    }
  } catch (error) {
    throw guard.explain(error)
  } finally {
    guard.end()
    response.destroy()
  }
}

function unpacked(response: IncomingMessage): Readable {
  if (response.headers['content-encoding'] !== 'gzip') return response
  return pipeline(response, createGunzip(), () => {}) // an error of either comes out of the second
}

async function discard({ body }: HttpAnswer): Promise<void> {
  for await (const _ of body); // to the end, so that the connection can be used again
}
