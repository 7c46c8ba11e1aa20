import fc from 'fast-check'
import { backOffMs, type RetryPace } from './policy.ts'
import type { Next, QueueGauges, Taken } from './queue-state.ts'
import type { Priority } from './wish.ts'

/** One thing that happens to a queue. */
export type Happening =
  | { readonly do: 'add'; readonly key: string; readonly priority: Priority; readonly inMs: number }
  | { readonly do: 'pass-time'; readonly byMs: number }
  | { readonly do: 'take' }
  | { readonly do: 'finish'; readonly which: number; readonly next: Next }
  | { readonly do: 'close' }

const KEYS = ['a/1', 'a/2', 'b/1', 'b/2', 'c', 'd/1', 'd/2', 'e/1']
const MONTH_MS = 31 * 24 * 3600 * 1000

const anyPriority = fc.constantFrom<Priority>('normal', 'low')

const anyDelay = fc.oneof(fc.constant(0), fc.nat(40), fc.nat(5_000), fc.constant(2 * MONTH_MS))

const anyNext: fc.Arbitrary<Next> = fc.oneof(
  fc.constant({ kind: 'forget' } as const),
  fc.record({ kind: fc.constant('later' as const), inMs: anyDelay }),
  fc.constant({ kind: 'retry' } as const),
  fc.record({ kind: fc.constant('retry' as const), atLatestInMs: fc.nat(50) }),
)

const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      key: fc.constantFrom(...KEYS),
      priority: anyPriority,
      inMs: anyDelay,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass-time' as const), byMs: anyDelay }) },
  { weight: 6, arbitrary: fc.constant({ do: 'take' } as const) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('finish' as const), which: fc.nat(7), next: anyNext }) },
)

export const anyHistory = fc
  .tuple(fc.array(anyHappening, { maxLength: 80 }), fc.constantFrom<Happening[]>([], [], [], [{ do: 'close' }]))
  .chain(([before, close]) => fc.tuple(fc.constant([...before, ...close]), fc.array(anyHappening, { maxLength: 10 })))
  .map(([before, after]) => [...before, ...after])

interface Waiting {
  readonly key: string
  readonly ticket: number
  atMs: number
  priority: Priority
}

/** The queue once more, as simply as possible: lists that are searched and sorted again for each question. */
export class ModelQueue {
  waiting: Waiting[] = []
  running: { readonly key: string; readonly priority: Priority; readonly sinceMs: number }[] = []
  readonly failures = new Map<string, number>()
  readonly #pace: RetryPace
  #purse = { ms: Infinity, atMs: 0 }
  #ticket = 0
  #turns = 0
  #closed = false

  constructor(pace: RetryPace) {
    this.#pace = pace
  }

  add(key: string, priority: Priority, atMs: number): void {
    if (this.#closed) return
    const present = this.waiting.find((one) => one.key === key)
    if (present === undefined) {
      this.waiting.push({ key, priority, atMs, ticket: this.#ticket++ })
      return
    }
    present.atMs = Math.min(present.atMs, atMs)
    if (priority === 'normal') present.priority = 'normal'
  }

  take(nowMs: number): Taken | undefined {
    const ready = this.ready(nowMs)
    const low = ready.filter(({ priority }) => priority === 'low')
    const normal = ready.filter(({ priority }) => priority === 'normal')
    const chosen = normal.length === 0 || (low.length > 0 && this.#turns === 4) ? low[0] : normal[0]
    if (chosen === undefined) return undefined
    this.#turns = chosen.priority === 'normal' && low.length > 0 ? this.#turns + 1 : 0
    this.waiting = this.waiting.filter((one) => one !== chosen)
    this.running.push({ key: chosen.key, priority: chosen.priority, sinceMs: nowMs })
    const { key, priority, atMs } = chosen
    return { key, priority, waitedMs: nowMs - atMs, failures: this.failures.get(key) ?? 0 }
  }

  ready(nowMs: number): readonly Waiting[] {
    const isRunning = (key: string) => this.running.some((one) => one.key === key)
    return this.waiting
      .filter(({ key, atMs }) => atMs <= nowMs && !isRunning(key))
      .toSorted((one, other) => one.atMs - other.atMs || one.ticket - other.ticket)
  }

  looks(nowMs: number): QueueGauges & { readonly nextDueMs: number | undefined } {
    const ready = this.ready(nowMs)
    const isRunning = (key: string) => this.running.some((one) => one.key === key)
    const later = this.waiting.filter(({ key, atMs }) => atMs > nowMs && !isRunning(key)).map(({ atMs }) => atMs)
    const runningMs = this.running.map(({ sinceMs }) => nowMs - sinceMs)
    const low = ready.filter(({ priority }) => priority === 'low').length
    return {
      waiting: { normal: ready.length - low, low },
      delayed: later.length,
      running: runningMs.length,
      longestRunningMs: Math.max(0, ...runningMs),
      unfinishedMs: runningMs.reduce((sum, ms) => sum + ms, 0),
      nextDueMs: later.length === 0 ? undefined : Math.min(...later),
    }
  }

  finish(key: string, next: Next, nowMs: number): void {
    const run = this.running.find((one) => one.key === key)
    this.running = this.running.filter((one) => one !== run)
    if (next.kind !== 'retry') this.failures.delete(key)
    if (next.kind === 'later') this.add(key, 'normal', nowMs + next.inMs)
    if (next.kind === 'retry' && run !== undefined) this.#retry(key, run.priority, next.atLatestInMs ?? Infinity, nowMs)
  }

  close(): void {
    this.#closed = true
    this.waiting = []
  }

  #retry(key: string, priority: Priority, atLatestInMs: number, nowMs: number): void {
    const failures = (this.failures.get(key) ?? 0) + 1
    this.failures.set(key, failures)
    if (this.#closed) return
    const allowedAtMs = this.#nextToken(nowMs)
    const atMs = Math.max(allowedAtMs, nowMs + backOffMs(failures, this.#pace))
    this.add(key, priority, Math.min(atMs, nowMs + atLatestInMs))
  }

  /** Time is money: a retry costs one step, and there are never more than `burst` steps in the purse. */
  #nextToken(nowMs: number): number {
    const { perSecond, burst } = this.#pace
    const stepMs = 1000 / perSecond
    const saved = Math.min(burst * stepMs, this.#purse.ms + nowMs - this.#purse.atMs)
    this.#purse = { ms: saved - stepMs, atMs: nowMs }
    return nowMs + Math.max(0, -this.#purse.ms)
  }
}
