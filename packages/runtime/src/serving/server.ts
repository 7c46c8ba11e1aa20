/**
 * One small server for all our ports: plain or TLS, HTTP/1.1, certificates that change under open connections, an end
 * that lets requests finish.
 *
 * @module
 */
import {
  createServer as createPlain,
  type IncomingMessage,
  type Server as PlainServer,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecure, type Server as SecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { CertificateSource } from '../certificates/certificate-source.ts'
import type { KeyPair } from '../certificates/key-pair.ts'
import type { Component, Life } from '../manager/component.ts'
import { sendAnswer, textAnswer } from './answer.ts'
import { printListenAddress, type ListenAddress } from './listen-address.ts'
import { untilClosed, type Farewell } from './until-closed.ts'

/** Answers one request. The signal ends when the client has gone away. */
export type Handler = (request: IncomingMessage, response: ServerResponse, signal: AbortSignal) => Promise<void>

/** What a server is made of. */
export interface ServerOptions {
  /** For messages: `webhook server`. */
  readonly name: string
  readonly listen: ListenAddress
  readonly handle: Handler
  /** With it the server speaks TLS, and listens from the first certificate on. */
  readonly certificates?: CertificateSource
  readonly onListening?: (address: AddressInfo) => void
  /** Go on serving for a while when told to stop. Default: not. */
  readonly farewell?: Farewell
  /** Something the server survived: a handler that threw, a certificate it could not use. */
  readonly onFailure?: (error: unknown) => void
}

/** A server as a component: it serves until it is to stop, lets open requests finish, and cuts them when time is over. */
export interface Server extends Component {
  /** For a readiness check. */
  readonly whyNotReady: () => string | undefined
}

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000
/** Longer than the 90 s after which Go clients give up an idle connection: we are never the first to close one. */
const KEEP_ALIVE_MS = 120_000
const MAX_CONNECTIONS = 2000

const limits = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
}

/** Make a server. */
export function createServer(options: ServerOptions): Server {
  const { name, certificates } = options
  let why: string | undefined = certificates ? `the ${name} has no certificate yet` : `the ${name} does not listen yet`
  return {
    name,
    whyNotReady: () => why,
    run: async (life) => {
      const ready = () => {
        why = undefined
        life.ready()
      }
      const told = { ...life, ready }
      await (certificates === undefined ? runPlain(options, told) : runSecure(options, certificates, told))
      why = `the ${name} has stopped`
    },
  }
}

async function runPlain(options: ServerOptions, life: Life): Promise<void> {
  await serveUntilEnd(createPlain(limits, answering(options, life.stop)), options, life)
}

/** The source and the server live and end together; a failure of one ends the other. */
async function runSecure(options: ServerOptions, certificates: CertificateSource, life: Life): Promise<void> {
  const failure = new AbortController()
  const stop = AbortSignal.any([life.stop, failure.signal])
  const first = Promise.withResolvers<SecureServer | undefined>()
  let server: SecureServer | undefined
  const use = (pair: KeyPair) => {
    try {
      if (server === undefined) first.resolve((server = secureServer(pair, options, stop)))
      else server.setSecureContext(contextOf(pair)) // open connections keep the certificate they know
    } catch (error) {
      options.onFailure?.(new Error(`Cannot use a new certificate in the ${options.name}.`, { cause: error }))
    }
  }
  const serving = first.promise.then((made) => made && serveUntilEnd(made, options, { ...life, stop }))
  const reading = certificates.run(use, stop).finally(() => first.resolve(server))
  const end = (error: unknown) => {
    failure.abort(error)
    throw error
  }
  await Promise.all([serving.catch(end), reading.catch(end)])
}

function secureServer(pair: KeyPair, options: ServerOptions, stop: AbortSignal): SecureServer {
  return createSecure({ ...limits, ...contextOf(pair), ALPNProtocols: ['http/1.1'] }, answering(options, stop))
}

function contextOf({ certificate, key }: KeyPair) {
  return { cert: certificate, key, minVersion: 'TLSv1.2' as const }
}

async function serveUntilEnd(server: PlainServer | SecureServer, options: ServerOptions, life: Life): Promise<void> {
  if (life.stop.aborted) return
  server.maxConnections = MAX_CONNECTIONS
  await listen(server, options)
  options.onListening?.(server.address() as AddressInfo)
  life.ready()
  await untilClosed(server, life, options.farewell)
}

async function listen(server: PlainServer, { listen, name }: ServerOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ host: listen.host, port: listen.port }, resolve)
  try {
    await promise
  } catch (error) {
    const where = printListenAddress(listen)
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown cause'
    throw new Error(`Cannot start the ${name} on ${where}: ${code}. Free the address or choose another.`, {
      cause: error,
    })
  }
  server.off('error', reject)
  server.on('error', () => {}) // of single connections: the client sees them, nobody else needs to
}

function answering({ handle, onFailure, name }: ServerOptions, stop: AbortSignal) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const gone = new AbortController()
    if (stop.aborted) response.setHeader('Connection', 'close') // the next request goes to somebody who stays
    response.once('close', () => gone.abort(new Error('the client has gone away')))
    response.once('finish', () => stop.aborted && request.socket.end()) // else it would stay open, waiting for more
    handle(request, response, gone.signal).catch((error: unknown) => {
      onFailure?.(error)
      sendAnswer(response, textAnswer(500, `The ${name} failed on this request. Its log says why.`))
    })
  }
}
