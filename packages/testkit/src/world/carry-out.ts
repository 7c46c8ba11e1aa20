import { KubeError, sleep, type HttpAnswer, type HttpRequest, type Transport } from '@slurm-operator/kube'
import type { VirtualClock } from '../clock/virtual-clock.ts'
import type { Fate, Side } from './fate.ts'
import type { SimulatedProcess } from './process.ts'

/** What a fate happens to. */
export interface Journey {
  readonly request: HttpRequest
  readonly inner: Transport
  readonly process: SimulatedProcess
  readonly clock: VirtualClock
}

/** Do to one call what the plan says. Never settles when the caller is to hear nothing. */
export async function carryOut(fate: Fate, journey: Journey): Promise<HttpAnswer> {
  const { clock, process, request } = journey
  switch (fate.do) {
    case 'deliver':
      return arrive(journey)
    case 'delay': {
      if (fate.requestMs !== undefined) await sleep(clock, fate.requestMs)
      const answer = await arrive(journey)
      if (fate.answerMs !== undefined) await sleep(clock, fate.answerMs)
      return answer
    }
    case 'refuse':
      throw broken(request, 'no connection: refused by the plan', false)
    case 'cut':
      await perhapsArrive(fate.when, journey)
      throw broken(request, 'the connection broke: cut by the plan', true)
    case 'answer':
      await perhapsArrive(fate.when, journey)
      return answerWith(fate)
    case 'hang':
      await perhapsArrive(fate.when, journey)
      return new Promise(() => {})
    case 'kill':
      await perhapsArrive(fate.when, journey)
      process.kill()
      return new Promise(() => {})
  }
}

/** A call is read to its end before the caller hears of it; a watch goes on. */
async function arrive({ inner, request }: Journey): Promise<HttpAnswer> {
  const answer = await inner.send(request)
  if (request.use === 'watch') return answer
  const chunks: Uint8Array[] = []
  for await (const chunk of answer.body) chunks.push(chunk)
  return {
    ...answer,
    body: (async function* () {
      yield* chunks
    })(),
  }
}

async function perhapsArrive(when: Side, journey: Journey): Promise<void> {
  if (when === 'before') return
  const answer = await arrive(journey)
  // A watch that nobody will read is closed again.
  if (journey.request.use === 'watch') await answer.body[Symbol.asyncIterator]().return?.()
}

function broken(request: HttpRequest, detail: string, mayHaveHappened: boolean): KubeError {
  return new KubeError({ reason: 'Unreachable', request: request.purpose, detail, mayHaveHappened })
}

const reasons: Readonly<Record<number, string>> = {
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

function answerWith({ status, retryAfterSeconds }: Extract<Fate, { do: 'answer' }>): HttpAnswer {
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `answered ${status} by the plan`,
    ...(reasons[status] !== undefined && { reason: reasons[status] }),
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
    code: status,
  }
  const headers = {
    'content-type': 'application/json',
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  }
  return {
    status,
    headers,
    body: (async function* () {
      yield Buffer.from(JSON.stringify(body))
    })(),
  }
}
