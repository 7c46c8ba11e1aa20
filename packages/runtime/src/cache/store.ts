/**
 * What we last heard about the objects of one resource.
 *
 * Two voices speak to it: the watch, and our own writes, whose answers are folded in at once. So a loop that has written
 * reads what it wrote, whether or not the watch has told it yet, and no wait is needed that could last for ever. No
 * object ever goes back to an older state: what is older than what we know is dropped.
 *
 * @module
 */
import type { ObjectKey } from '@slurm-operator/kube'
import { keyText } from '../loop/key-text.ts'
import type { CacheChange, Cached } from './cached.ts'
import { Index, type IndexFunction } from './index-by.ts'
import { ageOf } from './resource-version.ts'

/** Indexes by name. */
export type Indexes<T> = Readonly<Record<string, IndexFunction<T>>>

interface Folded {
  /** undefined: we deleted it. */
  readonly version: string | undefined
  readonly uid: string
}

const MOST_GONE = 5_000

/** The objects, their indexes, and what of them only our own writes have told. */
export class Store<T extends Cached> {
  readonly #objects = new Map<string, T>()
  readonly #indexes: ReadonlyMap<string, Index<T>>
  /** Own writes that the watch has not confirmed yet. */
  readonly #folded = new Map<string, Folded>()
  /** Objects whose end the watch has told, lately. */
  readonly #gone = new Set<string>()

  constructor(indexes: Indexes<T> = {}) {
    this.#indexes = new Map(Object.entries(indexes).map(([name, valuesOf]) => [name, new Index(valuesOf)]))
  }

  get size(): number {
    return this.#objects.size
  }

  get(key: ObjectKey): T | undefined {
    return this.#objects.get(keyText(key))
  }

  list(): readonly T[] {
    return [...this.#objects.values()]
  }

  by(index: string, value: string): readonly T[] {
    const found = this.#indexes.get(index)
    if (found === undefined) throw new Error(`Cannot look up ${value}: the cache has no index called ${index}.`)
    return found.keysOf(value).flatMap((key) => this.#objects.get(key) ?? [])
  }

  /** The watch told that an object is there, in this state. */
  heard(object: T): CacheChange<T>[] {
    const key = keyText(object.metadata)
    if (this.#isSuperseded(key, object)) return []
    this.#folded.delete(key)
    return this.#put(key, object, false)
  }

  /** The watch told that an object is gone; the last state of it comes along. */
  heardGone(object: T): CacheChange<T>[] {
    const key = keyText(object.metadata)
    this.#noteGone(object.metadata.uid)
    const known = this.#objects.get(key)
    if (this.#folded.get(key)?.uid === object.metadata.uid) this.#folded.delete(key)
    return known !== undefined && known.metadata.uid === object.metadata.uid ? this.#remove(key, known) : []
  }

  /** Our own write was answered with this state. */
  wrote(object: T): CacheChange<T>[] {
    const key = keyText(object.metadata)
    const { uid, resourceVersion } = object.metadata
    const known = this.#objects.get(key)
    if (this.#gone.has(uid)) return [] // the watch was faster than the answer: it would stay for ever
    if (known?.metadata.uid === uid && ageOf(resourceVersion, known.metadata.resourceVersion) !== 'newer') return []
    this.#folded.set(key, { uid, version: resourceVersion })
    return this.#put(key, object, false)
  }

  /** Our own delete was answered: this very object is gone. */
  deleted(key: ObjectKey, uid: string): CacheChange<T>[] {
    const text = keyText(key)
    const known = this.#objects.get(text)
    if (known?.metadata.uid !== uid) return []
    this.#folded.set(text, { uid, version: undefined })
    return this.#remove(text, known)
  }

  /**
   * A complete list of one part of the resource, as of `version`. What is not in it is gone, except what we wrote after it
   * was taken.
   */
  replace(
    objects: ReadonlyMap<string, T>,
    version: string,
    isPart: (object: T) => boolean,
    isInitial: boolean,
  ): CacheChange<T>[] {
    const changes: CacheChange<T>[] = []
    for (const [key, object] of objects) {
      if (this.#isSuperseded(key, object)) continue
      this.#folded.delete(key)
      changes.push(...this.#put(key, object, isInitial))
    }
    for (const [key, known] of this.#objects) {
      if (objects.has(key) || !isPart(known) || this.#isWrittenAfter(key, version)) continue
      this.#folded.delete(key)
      this.#noteGone(known.metadata.uid)
      changes.push(...this.#remove(key, known))
    }
    return changes
  }

  /** A uid never comes back. The oldest are forgotten: no answer is that late. */
  #noteGone(uid: string): void {
    this.#gone.add(uid)
    if (this.#gone.size > MOST_GONE) this.#gone.delete(this.#gone.values().next().value ?? '')
  }

  /** We know better: an older state of the same object, or one of an object that we have deleted. */
  #isSuperseded(key: string, { metadata }: T): boolean {
    const known = this.#objects.get(key)?.metadata
    if (known?.uid === metadata.uid) return ageOf(metadata.resourceVersion, known.resourceVersion) === 'older'
    const folded = this.#folded.get(key)
    if (folded === undefined) return false
    if (folded.version === undefined) return folded.uid === metadata.uid // deleted by us; the watch has not heard of it yet
    return ageOf(metadata.resourceVersion, folded.version) === 'older' // an earlier object of the same name
  }

  #isWrittenAfter(key: string, version: string): boolean {
    const folded = this.#folded.get(key)
    if (folded?.version === undefined) return false
    return ageOf(folded.version, version) !== 'older' && ageOf(folded.version, version) !== 'same'
  }

  #put(key: string, object: T, isInitial: boolean): CacheChange<T>[] {
    const known = this.#objects.get(key)
    if (
      known?.metadata.uid === object.metadata.uid &&
      known.metadata.resourceVersion === object.metadata.resourceVersion
    )
      return []
    if (known !== undefined && known.metadata.uid !== object.metadata.uid) {
      // Same name, another object: whoever owned something of the old one must hear that it is gone.
      return [...this.#remove(key, known), ...this.#put(key, object, isInitial)]
    }
    if (known !== undefined) this.#unindex(key, known)
    this.#objects.set(key, object)
    for (const index of this.#indexes.values()) index.add(key, object)
    return [known === undefined ? { kind: 'added', object, isInitial } : { kind: 'updated', object, old: known }]
  }

  #remove(key: string, known: T): CacheChange<T>[] {
    this.#objects.delete(key)
    this.#unindex(key, known)
    return [{ kind: 'deleted', object: known }]
  }

  #unindex(key: string, object: T): void {
    for (const index of this.#indexes.values()) index.remove(key, object)
  }
}
