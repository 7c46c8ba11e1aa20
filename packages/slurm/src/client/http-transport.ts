/**
 * HTTP to one slurmrestd.
 *
 * undici and not `node:http`: slurmrestd 26.05 sends 401 and 404 answers twice and adds bytes after the body of a
 * connection that was asked to close, on both of which `node:http` fails. The pool is small because idle connections
 * count against slurmrestd's limit, and a daemon at its limit accepts nobody for seconds.
 *
 * @module
 */
import { Pool, errors as undiciErrors } from 'undici'
import { TransportError, type Transport, type WireAnswer, type WireRequest } from './transport.ts'

/** How to reach and to trust one slurmrestd. */
export interface HttpTransportOptions {
  /** Scheme, host and port; a path in front of slurmrestd's own is kept. */
  readonly url: string
  /** Certificates to trust, in PEM, instead of the machine's own. */
  readonly ca?: string
  /** The name in the certificate, if it is not the host of the URL. */
  readonly serverName?: string
  /** At most 16 unless said. */
  readonly connections?: number
}

const CONNECTIONS = 16
const CONNECT_TIMEOUT_MS = 5000
/** Shorter than any idle limit in between, so that we seldom write into a connection that is being closed. */
const KEEP_ALIVE_MS = 4000

/** Codes of Node's that are only met before a request is written. */
const connectCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])

/** Connect to one slurmrestd; nothing is opened before the first request. */
export function httpTransport(options: HttpTransportOptions): Transport {
  const url = new URL(options.url)
  const prefix = url.pathname.replace(/\/+$/, '')
  const pool = new Pool(url.origin, {
    connections: options.connections ?? CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0, // the caller's signal is the one deadline
    bodyTimeout: 0,
    allowH2: false,
    connect: tlsOptions(options),
  })
  return {
    send: (request, signal) => sendTwiceIfStale(pool, { ...request, path: `${prefix}${request.path}` }, signal),
    close: () => pool.destroy(),
  }
}

function tlsOptions({ ca, serverName }: HttpTransportOptions): NonNullable<Pool.Options['connect']> {
  return {
    timeout: CONNECT_TIMEOUT_MS,
    ...(ca !== undefined && { ca }),
    ...(serverName !== undefined && { servername: serverName }),
  }
}

/** A kept connection may be closed by the other side just as we use it. Asking again harms nobody; ordering might. */
async function sendTwiceIfStale(pool: Pool, request: WireRequest, signal: AbortSignal): Promise<WireAnswer> {
  try {
    return await sendOnce(pool, request, signal)
  } catch (error) {
    if (request.method !== 'GET' || signal.aborted || !isClosedSocket(error)) throw describe(error)
  }
  try {
    return await sendOnce(pool, request, signal)
  } catch (error) {
    throw describe(error)
  }
}

async function sendOnce(
  pool: Pool,
  { method, path, headers, body }: WireRequest,
  signal: AbortSignal,
): Promise<WireAnswer> {
  const answer = await pool.request({ method, path, headers, signal, ...(body !== undefined && { body }) })
  const contentType = answer.headers['content-type']
  return {
    status: answer.statusCode,
    contentType: Array.isArray(contentType) ? (contentType[0] ?? '') : (contentType ?? ''),
    body: answer.body,
  }
}

function isClosedSocket(error: unknown): boolean {
  return error instanceof undiciErrors.SocketError || codeOf(error) === 'ECONNRESET' || codeOf(error) === 'EPIPE'
}

function describe(error: unknown): TransportError {
  const code = codeOf(error)
  const message = error instanceof Error && error.message !== '' ? error.message : (code ?? 'the connection failed')
  return new TransportError(message, code !== undefined && isBeforeSending(code), error)
}

function isBeforeSending(code: string): boolean {
  return connectCodes.has(code) || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
