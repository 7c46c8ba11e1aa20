import type { Clock } from '@slurm-operator/kube'
import { defaultRetryPace, type RetryPace } from './policy.ts'
import { QueueState, type Next, type QueueGauges, type Taken } from './queue-state.ts'
import type { Priority } from './wish.ts'

/** How a key is added; by default at once, because something changed. */
export interface AddOptions {
  readonly priority?: Priority
  readonly inMs?: number
}

/** Who wants to know what happens in the queue. For metrics: nothing here may throw. */
export interface QueueObserver {
  /** A key that was not waiting is now. */
  readonly added?: (priority: Priority) => void
  readonly taken?: (taken: Taken) => void
  readonly finished?: (ranMs: number, next: Next) => void
}

/** What a queue is made of. */
export interface QueueOptions {
  readonly clock: Clock
  readonly pace?: RetryPace
  readonly observer?: QueueObserver
}

/** Keys that wait for a worker: `QueueState` with one timer and a line of workers who wait. */
export class Queue {
  readonly #clock: Clock
  readonly #observer: QueueObserver
  readonly #state: QueueState
  readonly #workers: ((taken: Taken | undefined) => void)[] = []
  readonly #drained = Promise.withResolvers<void>()
  #isShutDown = false
  #timer: { readonly atMs: number; readonly cancel: () => void } | undefined

  constructor({ clock, pace = defaultRetryPace, observer = {} }: QueueOptions) {
    this.#clock = clock
    this.#observer = observer
    this.#state = new QueueState(pace)
  }

  /** Add a key, whether or not it is in already. */
  add(key: string, { priority = 'normal', inMs = 0 }: AddOptions = {}): void {
    const nowMs = this.#clock.monotonic()
    const isNew = this.#state.add(key, { priority, atMs: nowMs + (inMs > 0 ? inMs : 0) }, nowMs)
    if (isNew) this.#observer.added?.(priority)
    this.#handOut()
  }

  /** The next key, as soon as there is one. `undefined`: the queue is shut down, go home. */
  take(): Promise<Taken | undefined> {
    if (this.#isShutDown) return Promise.resolve(undefined)
    const { promise, resolve } = Promise.withResolvers<Taken | undefined>()
    this.#workers.push(resolve)
    this.#handOut()
    return promise
  }

  /** Give a key back. Everybody who took one must. */
  finish(key: string, next: Next): void {
    const ranMs = this.#state.finish(key, next, this.#clock.monotonic())
    this.#observer.finished?.(ranMs, next)
    if (this.#isShutDown && this.#state.runningCount === 0) this.#drained.resolve()
    this.#handOut()
  }

  /** Hand out no more. Resolves when all keys that were handed out have come back. */
  shutDown(): Promise<void> {
    this.#isShutDown = true
    this.#state.close()
    this.#workers.splice(0).forEach((goHome) => goHome(undefined))
    this.#setTimer()
    if (this.#state.runningCount === 0) this.#drained.resolve()
    return this.#drained.promise
  }

  /** What it looks like now. */
  gauges(): QueueGauges {
    return this.#state.gauges(this.#clock.monotonic())
  }

  #handOut(): void {
    while (this.#workers.length > 0) {
      const taken = this.#state.take(this.#clock.monotonic())
      if (taken === undefined) break
      this.#observer.taken?.(taken)
      this.#workers.shift()?.(taken)
    }
    this.#setTimer()
  }

  /** One timer for all delayed keys, and none while every worker is busy: who comes back looks by itself. */
  #setTimer(): void {
    const atMs = this.#workers.length === 0 ? undefined : this.#state.nextDueMs()
    if (atMs === this.#timer?.atMs) return
    this.#timer?.cancel()
    this.#timer = atMs === undefined ? undefined : { atMs, cancel: this.#ringAt(atMs) }
  }

  #ringAt(atMs: number): () => void {
    const ring = () => {
      this.#timer = undefined
      this.#handOut()
    }
    return this.#clock.schedule(Math.max(0, atMs - this.#clock.monotonic()), ring)
  }
}
