import type { Clock, KubeObject, Live, ObjectKey, Random, Reader } from '@slurm-operator/kube'
import type { Component, Life } from '../manager/component.ts'
import { Reflector, type ReflectorObserver } from '../reflector/reflector.ts'
import type { Patience } from '../reflector/plan-next.ts'
import type { CacheChange, Cached } from './cached.ts'
import { freeze } from './freeze.ts'
import { Store, type Indexes } from './store.ts'

/** Reads without a request. Everything that comes out is frozen and shared: to change something, make a new object. */
export interface CacheReader<T> {
  readonly size: number
  readonly hasSynced: boolean
  get(key: ObjectKey): T | undefined
  list(): readonly T[]
  /** Through an index, never by looking at all. */
  by(index: string, value: string): readonly T[]
}

/** Who hears of changes. It may throw: that is told to the observer and costs nobody else anything. */
export type CacheListener<T> = (change: CacheChange<T>) => void

/** What a cache is made of. */
export interface CacheOptions<Raw extends Cached, T extends Cached> {
  /** In logs and metrics, such as `pods`. */
  readonly name: string
  readonly reader: Pick<Reader<Raw>, 'list' | 'visit' | 'watch'>
  /** Only these namespaces, a watch for each; default all. */
  readonly namespaces?: readonly string[]
  readonly labelSelector?: string
  /** What to keep of an object: the type of the result hides the rest, so that nobody reads what is not there. */
  readonly keep: (raw: Raw) => T
  /** `keep` drops `managedFields`, so they need not be parsed: half of the work. Default: only of `withoutManagedFields`. */
  readonly skipManagedFields?: boolean
  readonly indexes?: Indexes<T>
  readonly clock: Clock
  readonly random: Random
  readonly patience?: Patience
  readonly observer?: CacheObserver
}

/** Who wants to know how it goes. */
interface CacheObserver extends ReflectorObserver {
  readonly listenerFailed?: (error: unknown) => void
}

/** The objects of one resource, kept equal to the server by watches, and told to listeners. */
export class Cache<Raw extends Cached, T extends Cached> implements Component, CacheReader<T> {
  readonly name: string
  readonly #options: CacheOptions<Raw, T>
  readonly #store: Store<T>
  readonly #reflectors: readonly Reflector<Raw, T>[]
  readonly #listeners = new Set<CacheListener<T>>()

  constructor(options: CacheOptions<Raw, T>) {
    this.name = options.name
    this.#options = options
    this.#store = new Store(options.indexes)
    const namespaces: readonly (string | undefined)[] = options.namespaces ?? [undefined]
    this.#reflectors = namespaces.map((namespace) => this.#reflect(namespace))
  }

  get size(): number {
    return this.#store.size
  }

  get hasSynced(): boolean {
    return this.#reflectors.every(({ hasSynced }) => hasSynced)
  }

  /** Resolves when everything that existed has been told. */
  async synced(): Promise<void> {
    await Promise.all(this.#reflectors.map(({ synced }) => synced))
  }

  async run({ stop, ready }: Life): Promise<void> {
    const all = Promise.all(this.#reflectors.map((reflector) => reflector.run(stop)))
    void this.synced().then(ready)
    await all
  }

  get(key: ObjectKey): T | undefined {
    return this.#store.get(key)
  }

  list(): readonly T[] {
    return this.#store.list()
  }

  by(index: string, value: string): readonly T[] {
    return this.#store.by(index, value)
  }

  /** Hear of every change from now on; the answer ends it. */
  listen(listener: CacheListener<T>): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Fold in what the server answered to a write of ours: whoever reads next reads it. */
  wrote(raw: Raw): void {
    this.#tell(this.#store.wrote(freeze(this.#options.keep(raw))))
  }

  /** Fold in that this very object is gone, as the server answered to our delete. */
  deleted(key: ObjectKey, uid: string): void {
    this.#tell(this.#store.deleted(key, uid))
  }

  /**
   * Ask the server for one object and fold the answer in. For those who heard from a write that it exists or is gone, while
   * no watch has told so yet. What this cache does not select stays out of it: no watch would tell when it goes.
   */
  async lookUp(key: ObjectKey, signal?: AbortSignal): Promise<void> {
    const { reader, keep, labelSelector } = this.#options
    const { namespace, name } = key
    const selection = { namespace, labelSelector, fieldSelector: `metadata.name=${name}` }
    const { items, resourceVersion } = await reader.list({ ...selection, signal })
    const [found] = items
    this.#tell(this.#store.lookedUp(key, found && freeze(keep(found)), resourceVersion))
  }

  /** Compare everything with the server once more, by a new list; differences are told. */
  listAgain(): void {
    for (const reflector of this.#reflectors) reflector.listAgain()
  }

  #reflect(namespace: string | undefined): Reflector<Raw, T> {
    const { reader, keep, labelSelector, clock, random, patience, observer } = this.#options
    const skipManagedFields = this.#options.skipManagedFields ?? (keep as unknown) === withoutManagedFields
    return new Reflector({
      ...{ reader, keep, clock, random, store: this.#store, scope: { namespace, labelSelector, skipManagedFields } },
      tell: (changes) => this.#tell(changes),
      ...(patience !== undefined && { patience }),
      ...(observer !== undefined && { observer }),
    })
  }

  #tell(changes: readonly CacheChange<T>[]): void {
    for (const change of changes) for (const listener of this.#listeners) this.#tellOne(listener, change)
  }

  #tellOne(listener: CacheListener<T>, change: CacheChange<T>): void {
    try {
      listener(change)
    } catch (error) {
      this.#options.observer?.listenerFailed?.(error)
    }
  }
}

/** Keep everything but the bookkeeping of field managers, which is half of an object and interests nobody here. */
export function withoutManagedFields<T extends KubeObject>(raw: Live<T>): Live<T> {
  const { managedFields: _dropped, ...metadata } = raw.metadata
  return { ...raw, metadata }
}
