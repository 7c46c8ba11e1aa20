/**
 * A bad way from one operator to a real API server: requests that never arrive, answers that get lost, refusals, delays
 * and watches that break. And the end of the operator at one of its calls: a dead one sends and hears nothing any more.
 *
 * @module
 */
import { KubeError, type HttpAnswer, type HttpRequest, type Random, type Transport } from '@slurm-operator/kube'

/** How the way is: chances from 0 to 1. */
export interface Weather {
  /** It never arrives. */
  readonly refused: number
  /** The server says 409, 429, 500 or 503, and does nothing. */
  readonly error: number
  /** It is done, and nobody hears of it. */
  readonly lost: number
  /** A watch breaks, at every piece that arrives. */
  readonly cut: number
  /** An answer comes up to so much later. */
  readonly slowMs: number
}

/** Nothing happens. */
export const calm: Weather = { refused: 0, error: 0, lost: 0, cut: 0, slowMs: 0 }
/** One request in five fails, one watch in ten breaks at a change. */
export const storm: Weather = { refused: 0.05, error: 0.1, lost: 0.05, cut: 0.1, slowMs: 20 }

/** The way of one operator. */
export class RoughRoad {
  weather: Weather = calm
  /** Writes that arrived, without Events: those are told some time later. */
  writes: readonly string[] = []
  readonly #random: Random
  readonly #end = new AbortController()
  #callsLeft = Number.POSITIVE_INFINITY

  constructor(random: Random) {
    this.#random = random
  }

  /** Its operator ends at this call, before or after the server has heard of it. */
  endAfter(calls: number): void {
    this.#callsLeft = calls
  }

  get isOver(): boolean {
    return this.#end.signal.aborted
  }

  /** The same server at the end of this road. */
  over(inner: Transport): Transport {
    return { ...inner, send: (request) => this.#send(inner, request) }
  }

  async #send(inner: Transport, request: HttpRequest): Promise<HttpAnswer> {
    const { refused, error, lost, slowMs } = this.weather
    this.#callsLeft -= 1
    if (this.isOver || (this.#callsLeft < 0 && this.#random() < 0.5)) throw this.#dead(request)
    if (this.#random() < refused) throw unreachable(request, 'refused on purpose')
    if (this.#random() < error) return this.#refusal(request)
    const answer = await inner.send(request)
    if (isWrite(request))
      this.writes = [...this.writes, `${answer.status} ${request.purpose} ${request.body ?? ''}`.trim()]
    if (this.isOver || this.#callsLeft < 0) throw this.#dead(request)
    if (slowMs > 0) await new Promise((resolve) => setTimeout(resolve, slowMs * this.#random()))
    if (request.method !== 'GET' && this.#random() < lost) throw lostAnswer(request, 'the answer is lost on purpose')
    return request.use === 'watch' ? { ...answer, body: this.#cutting(answer.body, request) } : answer
  }

  #dead(request: HttpRequest): KubeError {
    this.#end.abort()
    return lostAnswer(request, 'the operator is dead')
  }

  #refusal({ method }: HttpRequest): HttpAnswer {
    const codes = method === 'GET' ? [429, 500, 503] : [409, 429, 500, 503]
    const status = codes[Math.floor(this.#random() * codes.length)] ?? 500
    const body = { kind: 'Status', status: 'Failure', code: status, reason: reasons[status], message: 'on purpose' }
    return { status, headers: { 'content-type': 'application/json' }, body: bytes(JSON.stringify(body)) }
  }

  async *#cutting(body: HttpAnswer['body'], request: HttpRequest): AsyncGenerator<Uint8Array, void> {
    for await (const piece of body) {
      if (this.isOver) throw this.#dead(request)
      if (this.#random() < this.weather.cut) {
        yield piece.subarray(0, Math.floor(piece.length * this.#random())) // often in the middle of a line
        throw unreachable(request, 'cut on purpose')
      }
      yield piece
    }
  }
}

const reasons: Readonly<Record<number, string>> = {
  409: 'Conflict',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
}

function isWrite({ method, path }: HttpRequest): boolean {
  return method !== 'GET' && !path.startsWith('/apis/events.k8s.io/')
}

async function* bytes(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text)
}

function unreachable({ purpose }: HttpRequest, detail: string): KubeError {
  return new KubeError({ reason: 'Unreachable', request: purpose, detail })
}

function lostAnswer({ purpose }: HttpRequest, detail: string): KubeError {
  return new KubeError({ reason: 'Unreachable', request: purpose, detail, mayHaveHappened: true })
}
