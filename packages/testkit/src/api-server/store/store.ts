/**
 * Where objects are kept: the present state, one counter for all resourceVersions, and every change since the last
 * compaction. The past can be read again as long as it is not compacted.
 *
 * @module
 */
import { keyTextOf, withMeta, type ApiObject, type ObjectKeyText } from '../objects/api-object.ts'
import { Collection } from './collection.ts'

/** Which collection: group and plural, whatever the version. */
export type StorageName = string

/** One change, as watchers learn of it. */
export interface StoredChange {
  readonly version: number
  readonly atMs: number
  readonly storage: StorageName
  readonly key: ObjectKeyText
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  /** The object after the change; of a deletion its last state with the version of the deletion. */
  readonly object: ApiObject
  readonly before: ApiObject | undefined
}

/** How long the past is kept. */
export interface StoreOptions {
  readonly now: () => number
  /** Changes older than this are forgotten. */
  readonly forgetAfterMs: number
}

/** The store. All of it happens at once: nothing comes between the reading and the writing of one call. */
export class Store {
  readonly #options: StoreOptions
  readonly #collections = new Map<StorageName, Collection>()
  readonly #listeners = new Set<(change: StoredChange) => void>()
  readonly #keptFrom = new Set<() => number>()
  #log: StoredChange[] = []
  #version = 1
  #compacted = 0

  constructor(options: StoreOptions) {
    this.#options = options
  }

  /** The newest resourceVersion. */
  get version(): number {
    return this.#version
  }

  /** The oldest resourceVersion from which a watch can go on. */
  get oldestVersion(): number {
    this.#forgetOld()
    return this.#compacted
  }

  get(storage: StorageName, key: ObjectKeyText): ApiObject | undefined {
    return this.#collections.get(storage)?.get(key)
  }

  /** All objects of a collection in the order of their keys. */
  list(storage: StorageName): readonly ApiObject[] {
    return this.#collections.get(storage)?.all() ?? []
  }

  /** All collections that ever had an object. */
  storages(): readonly StorageName[] {
    return [...this.#collections.keys()]
  }

  /** The collection as it was; the version must not be compacted. */
  listAt(storage: StorageName, version: number): readonly ApiObject[] {
    const later = this.changesAfter(storage, version)
    if (later.length === 0) return this.list(storage)
    const past = new Map(this.list(storage).map((object) => [keyTextOf(object.metadata), object]))
    for (const { key, before } of later.toReversed()) {
      if (before === undefined) past.delete(key)
      else past.set(key, before)
    }
    return [...past].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, object]) => object)
  }

  /** All changes of a collection after a version, oldest first. */
  changesAfter(storage: StorageName, version: number): StoredChange[] {
    let start = this.#log.length
    while (start > 0 && (this.#log[start - 1]?.version ?? 0) > version) start--
    return this.#log.slice(start).filter((change) => change.storage === storage)
  }

  /** Store a new object, or a new state of one. Gives it its resourceVersion. */
  put(storage: StorageName, object: ApiObject): ApiObject {
    const key = keyTextOf(object.metadata)
    const before = this.get(storage, key)
    const stored = this.#stamp(object)
    this.#collection(storage).set(key, stored)
    this.#tell({ storage, key, type: before === undefined ? 'ADDED' : 'MODIFIED', object: stored, before })
    return stored
  }

  /** Remove an object. What it was last, with the version of its end. */
  remove(storage: StorageName, key: ObjectKeyText): ApiObject | undefined {
    const before = this.get(storage, key)
    if (before === undefined) return undefined
    const last = this.#stamp(before)
    this.#collection(storage).delete(key)
    this.#tell({ storage, key, type: 'DELETED', object: last, before })
    return last
  }

  /** Be told every change, at once. The answer ends it. */
  listen(listener: (change: StoredChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Forget the past before a version, as etcd does. */
  compact(upTo = this.#version): void {
    this.#compacted = Math.max(this.#compacted, Math.min(upTo, this.#version))
    this.#trim()
  }

  /** Keep the past from this version on, also after a compaction, for somebody who looks at an old state. */
  keepFrom(version: () => number): () => void {
    this.#keptFrom.add(version)
    return () => this.#keptFrom.delete(version)
  }

  #collection(storage: StorageName): Collection {
    const known = this.#collections.get(storage) ?? new Collection()
    this.#collections.set(storage, known)
    return known
  }

  #stamp(object: ApiObject): ApiObject {
    return withMeta(object, { resourceVersion: String(++this.#version) })
  }

  #tell(change: Omit<StoredChange, 'version' | 'atMs'>): void {
    const whole = { ...change, version: this.#version, atMs: this.#options.now() }
    this.#log.push(whole)
    for (const listener of [...this.#listeners]) listener(whole)
  }

  #forgetOld(): void {
    const before = this.#options.now() - this.#options.forgetAfterMs
    const old = this.#log.findLast(({ atMs, version }) => atMs < before && version > this.#compacted)
    if (old !== undefined) this.compact(old.version)
  }

  #trim(): void {
    const needed = Math.min(this.#compacted, ...[...this.#keptFrom].map((version) => version()))
    const first = this.#log.findIndex(({ version }) => version > needed)
    this.#log = first === -1 ? [] : this.#log.slice(first)
  }
}
