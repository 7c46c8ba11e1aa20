/**
 * One request and its answer, with a token, and once more with a new token if the first was not accepted.
 *
 * @module
 */
import { SlurmError } from '../errors.ts'
import type { ApiVersion } from '../model/api-version.ts'
import { readIdentity } from '../model/read-cluster.ts'
import type { Secret } from '../tokens/secret.ts'
import type { TokenSource } from '../tokens/token-source.ts'
import { readAnswer, UnreadableAnswer, type AnswerLimits } from './read-answer.ts'
import { requestName, type RecordReader, type Reply, type SlurmRequest } from './request.ts'
import { TransportError, type Transport, type WireRequest } from './transport.ts'
import { whyFailed, type Failure } from './why-failed.ts'

/** With whom and how. */
export interface ExchangeOptions {
  readonly transport: Transport
  readonly tokens: TokenSource
  readonly limits: AnswerLimits
}

/** What to exchange. */
export interface Exchange<T> {
  readonly request: SlurmRequest
  /** Usually one of ours; others only to find out what a daemon serves. */
  readonly version: string
  readonly signal: AbortSignal
  readonly reader?: RecordReader<T> | undefined
}

/** slurmrestd has no such path in this version: it may have been replaced, or is too old for the request. */
export class UnknownPathError extends SlurmError {}

/** Ask, and ask again with a new token if that was the problem. Throws `SlurmError`. */
export async function exchange<T = never>(options: ExchangeOptions, what: Exchange<T>): Promise<Reply<T>> {
  const token = await currentToken(options, what)
  try {
    return await exchangeOnce(options, what, token)
  } catch (error) {
    if (!(error instanceof SlurmError) || error.failure !== 'unauthorized') throw error
    options.tokens.refuse(token)
    const next = await currentToken(options, what)
    if (next.equals(token)) throw error
    return exchangeOnce(options, what, next)
  }
}

async function currentToken<T>({ tokens }: ExchangeOptions, { request }: Exchange<T>): Promise<Secret> {
  try {
    return await tokens.current()
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'there is no token'
    throw new SlurmError('unauthorized', requestName(request), detail, { cause: error, neverSent: true })
  }
}

async function exchangeOnce<T>(options: ExchangeOptions, what: Exchange<T>, token: Secret): Promise<Reply<T>> {
  const { request, signal, reader } = what
  const version = what.version as ApiVersion // a reader is only given with one of ours
  try {
    const answer = await options.transport.send(wireRequest(what, token), signal)
    const { status, body, list } = await readAnswer(answer, { version, reader, limits: options.limits })
    const failure = whyFailed({ status, body }, request.notFoundNumbers) ?? request.whyFailed?.(body)
    if (failure) throw failureError(failure, request, status)
    return { status, version, identity: readIdentity(body), body, unchanged: status === 304, list }
  } catch (error) {
    throw describeError(error, requestName(request))
  }
}

function failureError(failure: Failure, request: SlurmRequest, status: number): SlurmError {
  const facts = { status, errorNumber: failure.errorNumber }
  if (failure.unknownPath !== true) return new SlurmError(failure.failure, requestName(request), failure.detail, facts)
  return new UnknownPathError('refused', requestName(request), 'this slurmrestd does not offer it', facts)
}

function describeError(error: unknown, name: string): SlurmError {
  if (error instanceof SlurmError) return error
  if (error instanceof UnreadableAnswer) return new SlurmError('malformed', name, error.message, { cause: error })
  const neverSent = error instanceof TransportError && error.neverSent
  const detail = error instanceof Error ? error.message : String(error)
  return new SlurmError('unavailable', name, detail, { cause: error, neverSent })
}

function wireRequest<T>({ request, version }: Exchange<T>, token: Secret): WireRequest {
  const query = request.query ? `?${new URLSearchParams(request.query).toString()}` : ''
  const hasBody = request.body !== undefined
  return {
    method: request.method,
    path: `/${request.plugin ?? 'slurm'}/${version}${request.path}${query}`,
    headers: {
      'x-slurm-user-token': token.reveal().toString('utf8'),
      accept: 'application/json',
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(request.onBehalfOf !== undefined && { 'x-slurm-user-name': request.onBehalfOf }),
    },
    ...(hasBody && { body: JSON.stringify(request.body) }),
  }
}
