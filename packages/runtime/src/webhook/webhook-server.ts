/**
 * The server an API server asks before it stores something: HTTPS, HTTP/1.1, one path per hook.
 *
 * Whenever the question can be read, the answer is a verdict with HTTP 200, also when a handler fails: an API server
 * shows the text of a verdict to people, and hides that of an HTTP error.
 *
 * @module
 */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '@slurm-operator/kube'
import type { CertificateSource } from '../certificates/certificate-source.ts'
import { sendAnswer, textAnswer, type Answer } from '../serving/answer.ts'
import type { ListenAddress } from '../serving/listen-address.ts'
import { readBody } from '../serving/read-body.ts'
import { createServer, type Handler, type Server, type ServerOptions } from '../serving/server.ts'
import { answerReview } from './answer-review.ts'
import { reviewTimeMs } from './deadline.ts'
import type { Hook, HookObserver } from './hook.ts'
import { judgeReview } from './judge-review.ts'
import { readReview } from './read-review.ts'

/** What a webhook server is made of. */
export interface WebhookServerOptions extends Pick<ServerOptions, 'onListening' | 'onFailure' | 'farewell'> {
  readonly listen: ListenAddress
  readonly hooks: readonly Hook[]
  readonly certificates: CertificateSource
  readonly clock: Clock
  readonly observer?: HookObserver
}

/** The largest request: what an API server itself accepts. */
export const BODY_LIMIT_BYTES = 3 * 1024 * 1024

/** Make the webhook server. */
export function createWebhookServer(options: WebhookServerOptions): Server {
  const hooks = new Map(options.hooks.map((hook) => [hook.path, hook]))
  if (hooks.size < options.hooks.length)
    throw new Error('Cannot make the webhook server: two hooks have the same path.')
  return createServer({ ...options, name: 'webhook server', handle: handler(hooks, options) })
}

function handler(hooks: ReadonlyMap<string, Hook>, options: WebhookServerOptions): Handler {
  const { clock, observer } = options
  return async (request, response, signal) => {
    const { pathname, searchParams } = addressOf(request)
    const hook = hooks.get(pathname)
    if (hook === undefined) return sendAnswer(response, textAnswer(404, 'There is no webhook at this path.'))
    const startMs = clock.monotonic()
    observer?.started(hook.path)
    let code = 500
    try {
      const answer = await answerOf(hook, request, {
        options,
        timeMs: reviewTimeMs(searchParams.get('timeout')),
        signal,
      })
      code = answer.code
      sendAnswer(response, answer)
    } finally {
      observer?.finished(hook.path, code, clock.monotonic() - startMs)
    }
  }
}

interface Visit {
  readonly options: WebhookServerOptions
  readonly timeMs: number
  readonly signal: AbortSignal
}

async function answerOf(hook: Hook, request: IncomingMessage, visit: Visit): Promise<Answer> {
  const refusal = whyRefused(request)
  if (refusal !== undefined) return refusal
  const body = await readBody(request, BODY_LIMIT_BYTES)
  if (body.kind === 'too-large') return tooLarge
  if (body.kind === 'cut-off') return textAnswer(400, 'The body ended before its announced length.')
  return answerToBody(hook, body.bytes, visit)
}

async function answerToBody(hook: Hook, body: Buffer, { options, timeMs, signal }: Visit): Promise<Answer> {
  const read = readReview(body)
  if (read.kind === 'unreadable') return textAnswer(400, `Cannot read the review: ${read.because}.`)
  if (read.kind === 'incomplete') {
    const because = `Cannot read the review: ${read.because}.`
    return jsonAnswer(answerReview(read.version, read.uid, { allowed: false, code: 400, because }))
  }
  const { version, request } = read.review
  const onFailure = (error: unknown) => {
    options.observer?.failed(hook.path)
    options.onFailure?.(error)
  }
  const verdict = await judgeReview(hook, request, { clock: options.clock, timeMs, signal, onFailure })
  return jsonAnswer(answerReview(version, request.uid, verdict))
}

const tooLarge = textAnswer(413, 'The review is larger than 3 MiB, which is more than an API server accepts.', {
  Connection: 'close', // what is left of the body is never read
})

function whyRefused({ method, headers }: IncomingMessage): Answer | undefined {
  if (method !== 'POST') return textAnswer(405, 'Reviews are sent with POST.', { Allow: 'POST' })
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') return textAnswer(415, 'Reviews are sent as application/json.')
  return undefined
}

function jsonAnswer(body: string): Answer {
  return { code: 200, body, headers: { 'Content-Type': 'application/json' } }
}

function addressOf({ url = '/' }: IncomingMessage): Pick<URL, 'pathname' | 'searchParams'> {
  return URL.parse(url, 'https://webhook') ?? { pathname: '', searchParams: new URLSearchParams() }
}
