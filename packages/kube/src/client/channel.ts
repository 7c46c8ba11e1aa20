import { errorFromBody } from '../errors/read-status.ts'
import { KubeError } from '../errors/kube-error.ts'
import { systemClock, type Clock, type Random } from '../transport/clock.ts'
import type { HttpAnswer, HttpRequest, Method, Send, Transport } from '../transport/http.ts'
import { parseJson } from '../transport/json.ts'
import { observeRequests, type FinishedRequest } from '../transport/observe.ts'
import { defaultRetryPolicy, type RetryPolicy } from '../transport/plan-retry.ts'
import { limitRate, type RateLimit } from '../transport/rate-limit.ts'
import { textOf } from '../transport/read-lines.ts'
import { withRetries } from '../transport/retry.ts'
import { reportWarnings } from '../transport/warnings.ts'
import { withQuery, type Query } from './paths.ts'

/** How a client behaves; every field has a default. */
export interface ClientOptions {
  readonly clock?: Clock
  readonly random?: Random
  readonly retry?: Partial<RetryPolicy>
  /** Default: none; the server's own fairness is better. */
  readonly rateLimit?: RateLimit
  /** For requests that name no deadline of their own; default 30 s. */
  readonly timeoutMs?: number
  /** Each warning of the server, once. */
  readonly onWarning?: (warning: string) => void
  /** Each finished request, for metrics. */
  readonly onRequest?: (finished: FinishedRequest) => void
}

/** What every request takes. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** All tries together. */
  readonly timeoutMs?: number | undefined
}

/** A request in the words of the API. */
export interface ApiRequest extends CallOptions {
  readonly method: Method
  readonly path: string
  readonly query?: Query
  readonly accept?: string
  readonly contentType?: string
  readonly body?: string
  readonly purpose: string
}

/** Requests with everything around them: retries, limits, observers, errors with names. */
export interface Channel {
  readonly clock: Clock
  /** Send, and read a good answer with `consume`; all of it is repeated when it may be. */
  readonly exchange: <T>(request: ApiRequest, consume: (answer: HttpAnswer) => Promise<T>) => Promise<T>
  /** Send, and return the parsed answer. */
  readonly call: (request: ApiRequest) => Promise<unknown>
  /** Open a stream that may last. */
  readonly stream: (request: ApiRequest, idleMs: number) => Promise<HttpAnswer>
}

const TIMEOUT_MS = 30_000

/** Put everything around a transport. */
export function createChannel(transport: Transport, options: ClientOptions = {}): Channel {
  const { clock = systemClock, random = Math.random } = options
  const send = layered(transport, clock, options)
  const tools = { clock, random, policy: { ...defaultRetryPolicy, ...options.retry } }
  const toHttp = (request: ApiRequest) => httpRequestOf(request, options.timeoutMs ?? TIMEOUT_MS)
  const exchange: Channel['exchange'] = (request, consume) =>
    withRetries(toHttp(request), async (one) => consume(await sendOrThrow(send, one)), tools)
  return {
    clock,
    exchange,
    call: (request) => exchange(request, async ({ body }) => parseBody(await readText(body), request)),
    stream: (request, idleMs) =>
      withRetries({ ...toHttp(request), use: 'watch', idleMs }, (one) => sendOrThrow(send, one), tools),
  }
}

/** The whole text of an answer. */
export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return textOf(pieces)
}

/** Parse an answer, or say that it cannot be read. Its text is not shown: it may be a Secret. */
export function parseBody(text: string, { purpose }: Pick<ApiRequest, 'purpose'>): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new KubeError({ reason: 'Malformed', request: purpose, detail: 'the answer is not JSON' })
  }
}

function layered(transport: Transport, clock: Clock, { rateLimit, onWarning, onRequest }: ClientOptions): Send {
  let send: Send = transport.send
  if (onRequest !== undefined) send = observeRequests(send, transport.host, clock, onRequest)
  if (onWarning !== undefined) send = reportWarnings(send, onWarning)
  return rateLimit === undefined ? send : limitRate(send, rateLimit, clock)
}

function httpRequestOf(request: ApiRequest, defaultTimeoutMs: number): HttpRequest {
  const { method, path, query = {}, accept = 'application/json', body, contentType = 'application/json' } = request
  return {
    method,
    path: withQuery(path, query),
    headers: { accept, ...(body !== undefined && { 'content-type': contentType }) },
    purpose: request.purpose,
    use: 'call',
    timeoutMs: request.timeoutMs ?? defaultTimeoutMs,
    signal: request.signal,
    ...(body !== undefined && { body }),
  }
}

async function sendOrThrow(send: Send, request: HttpRequest): Promise<HttpAnswer> {
  const answer = await send(request)
  if (answer.status >= 200 && answer.status < 300) return answer
  const retryAfterSeconds = parseRetryAfter(answer.headers['retry-after'])
  throw errorFromBody(await readText(answer.body), { request: request.purpose, code: answer.status, retryAfterSeconds })
}

/** API servers send seconds; the form with a date is for proxies and means little to a retry. */
function parseRetryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined
}
