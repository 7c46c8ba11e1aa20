/**
 * The way of a request through a slurmrestd that may misbehave: the same for a caller in this process and for one at a
 * port.
 *
 * @module
 */
import type { Clock } from '@slurm-operator/slurm'
import { Faults, spoilList, type Fault, type FaultKind } from './faults.ts'
import { answerRequest } from './rest/answer-request.ts'
import { text, type RestAnswer } from './rest/answer.ts'
import type { RestRequest } from './rest/call.ts'
import type { Restd } from './rest/restd.ts'

/** Something that was asked or ordered, and when. */
export interface LoggedRequest {
  readonly atMs: number
  /** Method and path, without version and query: `GET /nodes/`. */
  readonly line: string
  /** What was wrong with it. */
  fault?: FaultKind
}

/** A slurmrestd that can be asked. */
export interface RestdServer {
  readonly restd: Restd
  readonly clock: Clock
  readonly faults: Faults
  readonly requests: LoggedRequest[]
  /** The longest time on the way, each way. */
  readonly latencyMs: number
}

/** An answer on its way out. */
export interface Served {
  readonly answer: RestAnswer
  readonly isCut: boolean
}

/** Thrown when the caller gets no answer: it has left, or the connection ended. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** Carry a request out and give back what to send. Throws `ConnectionLost`. */
export async function serveRequest(server: RestdServer, request: RestRequest, gone: AbortSignal): Promise<Served> {
  const { restd, clock, faults } = server
  const logged: LoggedRequest = { atMs: clock.now(), line: lineOf(request) }
  server.requests.push(logged)
  await pause(server, travelMs(server), gone)
  const met = faults.meet(request)
  if (met) logged.fault = met.fault.kind
  const spoiled = met && (await beforeAnswer(server, met.fault, met.ended, gone))
  const answer = spoiled ?? answerRequest(restd, request)
  if (gone.aborted || met?.fault.kind === 'lost-answer') return silence(gone)
  const slowMs = met?.fault.kind === 'slow' ? (met.fault.byMs ?? 0) : 0
  await pause(server, (answer.delayMs ?? 0) + slowMs + travelMs(server), gone)
  const told = met ? spoilList(answer, met.fault.kind, restd.random.below) : answer
  return { answer: told, isCut: met?.fault.kind === 'cut' }
}

/** How long it is on its way this time. */
function travelMs({ restd, latencyMs }: RestdServer): number {
  return restd.random.below(latencyMs + 1)
}

/** What is wrong before anything was carried out. */
async function beforeAnswer(
  { restd }: RestdServer,
  { kind }: Fault,
  ended: Promise<void>,
  gone: AbortSignal,
): Promise<RestAnswer | undefined> {
  switch (kind) {
    case 'hang':
      return silence(gone)
    case 'stall':
      await ended // whoever has left by then is served all the same
      return undefined
    case 'reset':
      throw new ConnectionLost('the connection was reset')
    case 'error-500':
      return text(500, 'Internal Server Error')
    case 'overload':
      return text(restd.random.chance(0.5) ? 429 : 503, 'Too many requests')
    default:
      return undefined
  }
}

function lineOf({ method, path }: RestRequest): string {
  return `${method} ${(path.split('?')[0] ?? '').replace(/^\/slurm\/v0\.0\.\d+/, '')}`
}

/** Wait, unless the caller leaves. What has come in by then goes on without it: see `stall`. */
function pause({ clock }: RestdServer, ms: number, gone: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      stop()
      reject(new ConnectionLost('the caller has left'))
    }
    const stop = clock.schedule(ms, () => {
      gone.removeEventListener('abort', leave)
      resolve()
    })
    if (gone.aborted) leave()
    else gone.addEventListener('abort', leave, { once: true })
  })
}

function silence(gone: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const leave = (): void => reject(new ConnectionLost('the caller has left'))
    if (gone.aborted) leave()
    else gone.addEventListener('abort', leave, { once: true })
  })
}
