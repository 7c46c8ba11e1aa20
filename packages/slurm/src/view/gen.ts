/**
 * Test data of this room: a clock that obeys, and a small Slurm in the same process that speaks the wire format, has
 * faults on request, and whose truth can be looked up.
 *
 * @module
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock, Random } from '../client/clock.ts'
import { TransportError, type Transport, type WireAnswer, type WireRequest } from '../client/transport.ts'
import { recorded } from '../model/gen.ts'

/** Time that passes when the test says so. */
export class VirtualClock implements Clock {
  private nowMs = 1_800_000_000_000
  private readonly timers = new Set<{ readonly atMs: number; readonly action: () => void }>()

  readonly now = (): number => this.nowMs
  readonly monotonic = (): number => this.nowMs
  readonly schedule = (delayMs: number, action: () => void): (() => void) => {
    const timer = { atMs: this.nowMs + Math.max(0, delayMs), action }
    this.timers.add(timer)
    return () => this.timers.delete(timer)
  }

  /** Let this much time pass, everything that is due in its order, and look at the world after each event. */
  async advance(ms: number, afterEach: () => void = () => {}): Promise<void> {
    const endMs = this.nowMs + ms
    await nextTurn()
    for (let next = this.nextBefore(endMs); next; next = this.nextBefore(endMs)) {
      this.timers.delete(next)
      this.nowMs = Math.max(this.nowMs, next.atMs)
      next.action()
      await nextTurn()
      afterEach()
    }
    this.nowMs = endMs
    afterEach()
  }

  private nextBefore(endMs: number): { readonly atMs: number; readonly action: () => void } | undefined {
    const due = [...this.timers].filter(({ atMs }) => atMs <= endMs)
    return due.toSorted((one, other) => one.atMs - other.atMs)[0]
  }
}

/** What can be wrong with the small Slurm. */
export type Fault =
  | 'none'
  | 'hang' // no answer at all; orders are not carried out
  | 'lost-answer' // orders are carried out, but nobody hears of it; questions are not answered
  | 'lost-orders' // the same for orders alone
  | 'reset'
  | 'cut'
  | 'crash-500'
  | 'bad-token'
  | 'controller-away'
  | 'empty-list'
  | 'short-list'
  | 'unreadable-record'
  | 'nameless-record'

/** A node as it really is. */
export interface TrueNode {
  drain: boolean
  jobs: number
}

const BAD_TOKEN_NUMBER = 1007
const CONTROLLER_AWAY_NUMBER = 1800
const CONTROLLER_AWAY_MS = 11_000
const template = (recorded('node-idle').response.body as { nodes: Record<string, unknown>[] }).nodes[0] ?? {}
const jobTemplate = (recorded('job-running').response.body as { jobs: Record<string, unknown>[] }).jobs[0] ?? {}

/** A Slurm with nodes and jobs, as the transport of a client. */
export class SmallSlurm implements Transport {
  readonly nodes = new Map<string, TrueNode>()
  readonly requests: { readonly atMs: number; readonly line: string }[] = []
  fault: Fault = 'none'
  latencyMs = 5
  private lastChangeSeconds = 1
  private readonly clock: VirtualClock
  private readonly random: Random

  constructor(clock: VirtualClock, names: readonly string[], random: Random = () => 0.5) {
    this.clock = clock
    this.random = random
    for (const name of names) this.nodes.set(name, { drain: false, jobs: 0 })
    this.touch()
  }

  /** Say that something changed. */
  touch(): void {
    this.lastChangeSeconds = Math.floor(this.clock.now() / 1000)
  }

  isDrained(name: string): boolean {
    const node = this.nodes.get(name)
    return node !== undefined && node.drain && node.jobs === 0
  }

  /** A job begins, if the scheduler would let it. */
  startJob(name: string): void {
    const node = this.nodes.get(name)
    if (!node || node.drain) return
    node.jobs++
    this.touch()
  }

  endJob(name: string): void {
    const node = this.nodes.get(name)
    if (!node || node.jobs === 0) return
    node.jobs--
    this.touch()
  }

  async send(request: WireRequest, signal: AbortSignal): Promise<WireAnswer> {
    const path = request.path.replace(/^\/slurm\/v0\.0\.\d+/, '')
    this.requests.push({ atMs: this.clock.now(), line: `${request.method} ${path.split('?')[0]}` })
    await this.pause(this.latencyMs * this.random(), signal)
    const fault = this.fault
    if (fault === 'hang') return this.silence(signal)
    if (fault === 'reset') throw new TransportError('the connection was reset', false)
    if (fault === 'crash-500') return answer(500, 'oops', 'text/plain')
    if (fault === 'bad-token') return this.withBadToken(path)
    if (fault === 'controller-away') return this.withoutController(path, signal)
    const reply = this.carryOut(request, path, fault)
    const isOrder = request.method !== 'GET'
    if (fault === 'lost-answer' || (fault === 'lost-orders' && isOrder)) return this.silence(signal)
    await this.pause(this.latencyMs * this.random(), signal)
    return fault === 'cut' ? cut(reply) : reply
  }

  async close(): Promise<void> {}

  private carryOut(request: WireRequest, path: string, fault: Fault): WireAnswer {
    const [, collection = '', name = ''] = (path.split('?')[0] ?? '').split('/')
    if (collection === 'ping') return answer(200, ping(true))
    if (collection === 'diag') return answer(200, good({ statistics: { req_time: this.wireNow() } }))
    if (request.method === 'GET' && collection === 'nodes') return this.listNodes(path, fault)
    if (request.method === 'GET' && collection === 'jobs') return answer(200, this.listJobs(fault))
    const body = JSON.parse(request.body ?? '{}') as { name?: string[]; state?: string[] }
    const names = body.name ?? decodeURIComponent(name).split(',')
    this.touch()
    for (const each of names) {
      const failed = request.method === 'DELETE' ? this.deleteNode(each) : this.updateNode(each, body.state?.[0])
      if (failed !== undefined) return answer(422, withError(failed))
    }
    return answer(200, good({}))
  }

  private deleteNode(name: string): number | undefined {
    const node = this.nodes.get(name)
    if (!node) return 2018
    if (node.jobs > 0) return 2016
    this.nodes.delete(name)
    return undefined
  }

  private updateNode(name: string, state: string | undefined): number | undefined {
    const node = this.nodes.get(name)
    if (!node) return 2018
    if (state === 'DRAIN') node.drain = true
    if (state === 'UNDRAIN' || state === 'RESUME') node.drain = false
    return undefined
  }

  private listNodes(path: string, fault: Fault): WireAnswer {
    const since = Number(new URLSearchParams(path.split('?')[1]).get('update_time') ?? 0)
    if (since - 1 >= this.lastChangeSeconds) return answer(304, '') // with the second of slack that Slurm has
    const all = [...this.nodes].map(([name, node]) => wireNode(name, node))
    const nodes = spoil(all, fault)
    return answer(200, good({ nodes, last_update: this.wireNow() }))
  }

  private wireNow(): unknown {
    return { set: true, infinite: false, number: Math.floor(this.clock.now() / 1000) }
  }

  private listJobs(fault: Fault): unknown {
    const running = [...this.nodes].flatMap(([name, { jobs }]) =>
      Array.from({ length: jobs }, (_, at) => `${name}:${at}`),
    )
    const jobs = running.map((id, at) => ({
      ...jobTemplate,
      job_id: at + 1,
      nodes: id.split(':')[0],
      job_state: ['RUNNING'],
    }))
    // A list may lack one job, for jobs end: a lie about that would be believed.
    const isCutShort = fault === 'empty-list' || fault === 'short-list'
    return good({ jobs: isCutShort ? jobs : spoil(jobs, fault), last_update: this.wireNow() })
  }

  private withBadToken(path: string): WireAnswer {
    return path.startsWith('/ping')
      ? answer(200, ping(false, 'Protocol authentication error'))
      : answer(511, withError(BAD_TOKEN_NUMBER))
  }

  private async withoutController(path: string, signal: AbortSignal): Promise<WireAnswer> {
    if (path.startsWith('/ping')) return answer(200, ping(false, 'Unable to contact slurm controller'))
    await this.pause(CONTROLLER_AWAY_MS, signal)
    return answer(502, withError(CONTROLLER_AWAY_NUMBER))
  }

  private pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = this.clock.schedule(ms, resolve)
      signal.addEventListener('abort', () => {
        stop()
        reject(new TransportError('given up', false))
      })
    })
  }

  private silence(signal: AbortSignal): Promise<never> {
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new TransportError('given up', false)))
    })
  }
}

function wireNode(name: string, { drain, jobs }: TrueNode): Record<string, unknown> {
  const states = [jobs > 0 ? 'MIXED' : 'IDLE', ...(drain ? ['DRAIN'] : [])]
  return { ...template, name, state: states, alloc_cpus: jobs, reason: drain ? 'going' : '' }
}

function spoil(records: readonly Record<string, unknown>[], fault: Fault): unknown[] {
  switch (fault) {
    case 'empty-list':
      return []
    case 'short-list':
      return records.slice(0, Math.floor(records.length / 2))
    case 'unreadable-record':
      return records.map((record, at) => (at === 0 ? { ...record, state: 5, job_state: 5 } : record))
    case 'nameless-record':
      return records.map((record, at) => (at === 0 ? 'nonsense' : record))
    default:
      return [...records]
  }
}

function ping(responding: boolean, status = 'No error'): unknown {
  return good({ pings: [{ hostname: 'ctl', responding, primary: true, latency: 100, status }] })
}

function good(payload: Record<string, unknown>): Record<string, unknown> {
  const slurm = { version: { major: '26', minor: '05', micro: '5' }, release: '26.05.5', cluster: 'small' }
  return { ...payload, errors: [], warnings: [], meta: { slurm, plugin: { data_parser: 'data_parser/v0.0.45' } } }
}

function withError(error_number: number): Record<string, unknown> {
  return { ...good({}), errors: [{ error_number, error: `error ${error_number}`, description: '' }] }
}

function answer(status: number, body: unknown, contentType = 'application/json'): WireAnswer {
  return { status, contentType, body: bytes(typeof body === 'string' ? body : JSON.stringify(body)) }
}

async function* bytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

function cut({ body, ...head }: WireAnswer): WireAnswer {
  const half = async function* (): AsyncIterable<Uint8Array> {
    for await (const chunk of body) yield chunk.subarray(0, chunk.length / 2)
    throw new TransportError('the connection ended in the middle', false)
  }
  return { ...head, body: half() }
}
