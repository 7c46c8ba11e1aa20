/**
 * The queue as a state machine: no timer, no promise, no clock. Whoever calls says what time it is.
 *
 * Guarantees:
 * - a key is with at most one worker; what is added meanwhile runs afterwards, once
 * - a key is in here once: the earliest wish and the highest priority win
 * - no key waits for ever: first come, first served within a priority, and `low` gets every fifth turn at least
 * - memory is proportional to the keys that are waiting, delayed or running, and to nothing else
 *
 * @module
 */
import { KeyedHeap } from './keyed-heap.ts'
import { backOffMs, fullBucket, takeToken, type Bucket, type RetryPace } from './policy.ts'
import { mergeWishes, type Priority, type Wish } from './wish.ts'

/** A key that a worker has now. */
export interface Taken {
  readonly key: string
  readonly priority: Priority
  /** Since it was added, or since the time of a delayed add came. */
  readonly waitedMs: number
  /** Failures in a row before this one. */
  readonly failures: number
}

/** What is to happen with a key that a worker gives back. All but `retry` forget earlier failures. */
export type Next =
  | { readonly kind: 'forget' }
  | { readonly kind: 'later'; readonly inMs: number }
  | { readonly kind: 'retry'; readonly atLatestInMs?: number }

/** What the queue looks like at one moment. */
export interface QueueGauges {
  readonly waiting: Readonly<Record<Priority, number>>
  readonly delayed: number
  readonly running: number
  /** Of the key that has been with its worker for longest. */
  readonly longestRunningMs: number
  /** Of all running keys together. */
  readonly unfinishedMs: number
}

interface Entry {
  wish: Wish | undefined
  /** Drawn with each new wish: decides between wishes for the same moment. */
  ticket: number
  run: { readonly priority: Priority; readonly sinceMs: number } | undefined
  failures: number
}

const NORMAL_TURNS = 4 // in a row, while somebody with low priority waits

/** All that the queue knows. */
export class QueueState {
  readonly #pace: RetryPace
  readonly #entries = new Map<string, Entry>()
  readonly #running = new Map<string, Entry>()
  readonly #delayed = new KeyedHeap()
  readonly #waiting = { normal: new KeyedHeap(), low: new KeyedHeap() }
  #bucket: Bucket = fullBucket
  #tickets = 0
  #normalTurns = 0
  #isClosed = false

  constructor(pace: RetryPace) {
    this.#pace = pace
  }

  /** Returns whether the key was not waiting yet. A closed queue takes nothing. */
  add(key: string, wish: Wish, nowMs: number): boolean {
    if (this.#isClosed) return false
    const entry = this.#entries.get(key) ?? { wish: undefined, ticket: 0, run: undefined, failures: 0 }
    this.#entries.set(key, entry)
    const isNew = entry.wish === undefined
    this.#wish(entry, wish)
    if (entry.run === undefined) this.#place(key, entry, nowMs)
    return isNew
  }

  /** The next key whose turn it is. It must come back through `finish`. */
  take(nowMs: number): Taken | undefined {
    this.#promote(nowMs)
    const key = this.#waiting[this.#whoseTurn()].peek()?.key
    const entry = key === undefined ? undefined : this.#entries.get(key)
    if (key === undefined || entry?.wish === undefined) return undefined
    const { priority, atMs } = entry.wish
    this.#normalTurns = priority === 'normal' && this.#waiting.low.size > 0 ? this.#normalTurns + 1 : 0
    this.#waiting[priority].remove(key)
    entry.wish = undefined
    entry.run = { priority, sinceMs: nowMs }
    this.#running.set(key, entry)
    return { key, priority, waitedMs: Math.max(0, nowMs - atMs), failures: entry.failures }
  }

  /** A worker gives a key back. Returns how long it had it. */
  finish(key: string, next: Next, nowMs: number): number {
    const entry = this.#running.get(key)
    if (entry?.run === undefined) throw new Error(`Cannot finish ${key}: no worker has it. This is a bug in the loop.`)
    const { sinceMs, priority } = entry.run
    entry.run = undefined
    this.#running.delete(key)
    entry.failures = next.kind === 'retry' ? entry.failures + 1 : 0
    const wish = this.#isClosed ? undefined : this.#wishAfter(next, entry.failures, priority, nowMs)
    if (wish !== undefined) this.#wish(entry, wish)
    if (entry.wish === undefined) this.#entries.delete(key)
    else this.#place(key, entry, nowMs)
    return nowMs - sinceMs
  }

  /** When a delayed key will be ready, if any is delayed. */
  nextDueMs(): number | undefined {
    return this.#delayed.peek()?.rank
  }

  /** Take no more and hand out no more: whoever comes next finds the same work in the API objects. */
  close(): void {
    this.#isClosed = true
    this.#delayed.clear()
    this.#waiting.normal.clear()
    this.#waiting.low.clear()
    for (const [key, entry] of this.#entries) {
      entry.wish = undefined
      if (entry.run === undefined) this.#entries.delete(key)
    }
  }

  /** Keys that are with a worker. */
  get runningCount(): number {
    return this.#running.size
  }

  gauges(nowMs: number): QueueGauges {
    this.#promote(nowMs)
    const runningMs = [...this.#running.values()].map(({ run }) => nowMs - (run?.sinceMs ?? nowMs))
    return {
      waiting: { normal: this.#waiting.normal.size, low: this.#waiting.low.size },
      delayed: this.#delayed.size,
      running: runningMs.length,
      longestRunningMs: Math.max(0, ...runningMs),
      unfinishedMs: runningMs.reduce((sum, ms) => sum + ms, 0),
    }
  }

  #whoseTurn(): Priority {
    const { normal, low } = this.#waiting
    if (normal.size === 0) return 'low'
    return low.size > 0 && this.#normalTurns >= NORMAL_TURNS ? 'low' : 'normal'
  }

  /** A wish of the pass itself is worth as much as a change; a retry is worth what the failed pass was. */
  #wishAfter(next: Next, failures: number, priority: Priority, nowMs: number): Wish | undefined {
    switch (next.kind) {
      case 'forget':
        return undefined
      case 'later':
        return { priority: 'normal', atMs: nowMs + Math.max(0, next.inMs) }
      case 'retry': {
        const token = takeToken(this.#bucket, nowMs, this.#pace)
        this.#bucket = token.bucket
        const atMs = Math.max(token.atMs, nowMs + backOffMs(failures, this.#pace))
        return { priority, atMs: Math.min(atMs, nowMs + Math.max(0, next.atLatestInMs ?? Infinity)) }
      }
    }
  }

  #wish(entry: Entry, wish: Wish): void {
    if (entry.wish === undefined) entry.ticket = this.#tickets++
    entry.wish = mergeWishes(entry.wish, wish)
  }

  /** Put a key that no worker has where its wish belongs. In line stands first who has been due for longest. */
  #place(key: string, { wish, ticket }: Entry, nowMs: number): void {
    if (wish === undefined) return
    if (wish.atMs > nowMs) return this.#delayed.set(key, wish.atMs, ticket)
    this.#delayed.remove(key)
    if (wish.priority === 'normal') this.#waiting.low.remove(key) // it may have been raised
    this.#waiting[wish.priority].set(key, wish.atMs, ticket)
  }

  #promote(nowMs: number): void {
    for (let due = this.#delayed.peek(); due !== undefined && due.rank <= nowMs; due = this.#delayed.peek()) {
      this.#delayed.remove(due.key)
      const entry = this.#entries.get(due.key)
      if (entry !== undefined) this.#place(due.key, entry, nowMs)
    }
  }
}
