/**
 * Keeps a store equal to one part of a resource on the server: lists it once, follows the changes, and lists again only
 * when the server has forgotten where we were.
 *
 * @module
 */
import { sleep, type Change, type Clock, type ListOptions, type Random, type Reader } from '@slurm-operator/kube'
import type { CacheChange, Cached } from '../cache/cached.ts'
import { freeze } from '../cache/freeze.ts'
import type { Store } from '../cache/store.ts'
import { keyText } from '../loop/key-text.ts'
import { defaultPatience, planNext, type Ending, type NextStep, type Patience } from './plan-next.ts'

/** What a reflector is made of. `Raw` is what the server sends, `T` what is kept of it. */
export interface ReflectorOptions<Raw extends Cached, T extends Cached> {
  readonly reader: Pick<Reader<Raw>, 'visit' | 'watch'>
  /** Which part: a namespace, a selector; and whether `keep` reads `managedFields` at all. */
  readonly scope: Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector' | 'skipManagedFields'>
  readonly keep: (raw: Raw) => T
  readonly store: Store<T>
  readonly tell: (changes: readonly CacheChange<T>[]) => void
  readonly clock: Clock
  readonly random: Random
  readonly patience?: Patience
  readonly observer?: ReflectorObserver
}

/** Who wants to know how it goes: logs and metrics. Nothing here may throw. */
export interface ReflectorObserver {
  readonly listed?: (count: number) => void
  readonly failed?: (error: unknown, next: NextStep) => void
  /** One object could not be read. It is left out; all others are served. */
  readonly unreadable?: (key: string, error: unknown) => void
}

const SHORTEST_WATCH_SECONDS = 300

/** Follows one part of a resource. */
export class Reflector<Raw extends Cached, T extends Cached> {
  readonly #options: ReflectorOptions<Raw, T>
  readonly #synced = Promise.withResolvers<void>()
  #version: string | undefined
  #hasListed = false
  #wantsList = false
  #interrupt = new AbortController()

  constructor(options: ReflectorOptions<Raw, T>) {
    this.#options = options
  }

  /** Resolves when everything that existed has been told. */
  get synced(): Promise<void> {
    return this.#synced.promise
  }

  get hasSynced(): boolean {
    return this.#hasListed
  }

  /** Up to which state of the server we have heard everything. */
  get version(): string | undefined {
    return this.#version
  }

  /** Read everything once more; what was missed is told. */
  listAgain(): void {
    this.#wantsList = true
    this.#interrupt.abort(new Error('a new list is wanted'))
  }

  /** Follow until the signal is aborted. Never throws: what fails is tried again. */
  async run(signal: AbortSignal): Promise<void> {
    let step: NextStep = { do: 'list', inMs: 0, failures: 0 }
    while (!signal.aborted) {
      const ending = await this.#attempt(this.#wantsList ? 'list' : step.do, signal)
      if (signal.aborted) return
      step = this.#plan(ending, step.failures)
      if (this.#wantsList) continue // interrupted on purpose
      if (ending.kind === 'failed') this.#options.observer?.failed?.(ending.error, step)
      await sleep(this.#options.clock, step.inMs, signal).catch(() => {}) // aborted: the loop ends
    }
  }

  #plan(ending: Ending, failures: number): NextStep {
    const { random, patience = defaultPatience } = this.#options
    return planNext(ending, this.#version !== undefined, failures, random(), patience)
  }

  async #attempt(what: NextStep['do'], signal: AbortSignal): Promise<Ending> {
    const { clock } = this.#options
    const startMs = clock.monotonic()
    const progress = { heard: 0 }
    this.#interrupt = new AbortController()
    const either = AbortSignal.any([signal, this.#interrupt.signal])
    try {
      if (what === 'list') {
        this.#wantsList = false
        await this.#list(either)
        return { kind: 'listed' }
      }
      await this.#watch(either, progress)
      return { kind: 'watch-ended', lastedMs: clock.monotonic() - startMs, heard: progress.heard }
    } catch (error) {
      return { kind: 'failed', error, lastedMs: clock.monotonic() - startMs, heard: progress.heard }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { reader, scope, store, tell, observer } = this.#options
    const found = new Map<string, T>()
    const unreadable = new Set<string>()
    const { resourceVersion } = await reader.visit(
      { ...scope, signal },
      {
        item: (raw) => {
          const key = keyText(raw.metadata)
          if (!this.#read(raw, (object) => found.set(key, object))) unreadable.add(key)
        },
        gone: (raw) => void found.delete(keyText(raw.metadata)),
        restart: () => found.clear(),
      },
    )
    // What we cannot read is not gone: its last readable state stays.
    const isPart = ({ metadata }: T) =>
      (scope.namespace === undefined || metadata.namespace === scope.namespace) && !unreadable.has(keyText(metadata))
    tell(store.replace(found, resourceVersion, isPart, !this.#hasListed))
    this.#version = resourceVersion
    this.#hasListed = true
    this.#synced.resolve()
    observer?.listed?.(found.size)
  }

  async #watch(signal: AbortSignal, progress: { heard: number }): Promise<void> {
    const { reader, scope, random } = this.#options
    // Streams of many operators must not all end in the same minute.
    const timeoutSeconds = Math.round(SHORTEST_WATCH_SECONDS * (1 + random()))
    for await (const change of reader.watch({ ...scope, resourceVersion: this.#version, timeoutSeconds, signal })) {
      if (change.type === 'ERROR') throw change.error
      progress.heard++
      this.#hear(change)
    }
  }

  #hear(change: Exclude<Change<Raw>, { type: 'ERROR' }>): void {
    const { store, tell } = this.#options
    if (change.type === 'BOOKMARK') {
      this.#version = change.resourceVersion
      return
    }
    const { resourceVersion } = change.object.metadata
    this.#read(change.object, (object) =>
      tell(change.type === 'DELETED' ? store.heardGone(object) : store.heard(object)),
    )
    this.#version = resourceVersion
  }

  #read(raw: Raw, use: (object: T) => void): boolean {
    const object = this.#trim(raw)
    if (object !== undefined) use(object)
    return object !== undefined
  }

  #trim(raw: Raw): T | undefined {
    try {
      return freeze(this.#options.keep(raw))
    } catch (error) {
      this.#options.observer?.unreadable?.(keyText(raw.metadata), error)
      return undefined
    }
  }
}
