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
  readonly version: string
  readonly uid: string
}

const MOST_GONE = 5_000

/** The objects, their indexes, and what of them only our own writes have told. */
export class Store<T extends Cached> {
  readonly #objects = new Map<string, T>()
  readonly #indexes: ReadonlyMap<string, Index<T>>
  /** Own writes that the watch has not confirmed yet. */
  readonly #folded = new Map<string, Folded>()
  /**
   * Objects, by uid, whose end was told lately, and as of which version. undefined: it never comes back, because we deleted
   * it or another has its name. A watch with a selector also calls gone what no longer fits, and that may fit again later.
   */
  readonly #gone = new Map<string, string | undefined>()

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
    const { uid, resourceVersion } = object.metadata
    return this.#end(keyText(object.metadata), uid, resourceVersion)
  }

  /** Our own write was answered with this state. */
  wrote(object: T): CacheChange<T>[] {
    const key = keyText(object.metadata)
    const { uid, resourceVersion } = object.metadata
    const known = this.#objects.get(key)
    if (this.#hasEnded(object)) return [] // its end was heard before the answer: it would stay for ever
    if (known?.metadata.uid === uid && ageOf(resourceVersion, known.metadata.resourceVersion) !== 'newer') return []
    this.#folded.set(key, { uid, version: resourceVersion })
    return this.#put(key, object, false)
  }

  /** Our own delete was answered: this very object is gone. */
  deleted(key: ObjectKey, uid: string): CacheChange<T>[] {
    return this.#end(keyText(key), uid, undefined)
  }

  /** We asked for one object, which was in this state, or was not there, as of `version`. */
  lookedUp(key: ObjectKey, object: T | undefined, version: string): CacheChange<T>[] {
    if (object !== undefined) return this.wrote(object)
    const known = this.get(key)?.metadata
    const isOld = known !== undefined && ageOf(known.resourceVersion, version) === 'older'
    return isOld ? this.#end(keyText(key), known.uid, version) : []
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
      changes.push(...this.#end(key, known.metadata.uid, version))
    }
    return changes
  }

  #end(key: string, uid: string, version: string | undefined): CacheChange<T>[] {
    this.#noteGone(uid, version)
    if (this.#folded.get(key)?.uid === uid) this.#folded.delete(key)
    const known = this.#objects.get(key)
    return known?.metadata.uid === uid ? this.#remove(key, known) : []
  }

  /** The oldest are forgotten: no answer is that late. */
  #noteGone(uid: string, version: string | undefined): void {
    if (!this.#isGoneForGood(uid)) this.#gone.set(uid, version)
    if (this.#gone.size > MOST_GONE) this.#gone.delete(this.#gone.keys().next().value ?? '')
  }

  #isGoneForGood(uid: string): boolean {
    return this.#gone.has(uid) && this.#gone.get(uid) === undefined
  }

  /** This state is from before the end of the object. */
  #hasEnded({ metadata }: T): boolean {
    if (!this.#gone.has(metadata.uid)) return false
    const version = this.#gone.get(metadata.uid)
    return version === undefined || ageOf(metadata.resourceVersion, version) !== 'newer'
  }

  /** We know better: an older state of the same object, or one of an object that has ended. */
  #isSuperseded(key: string, object: T): boolean {
    const { metadata } = object
    if (this.#hasEnded(object)) return true
    const known = this.#objects.get(key)?.metadata
    if (known?.uid === metadata.uid) return ageOf(metadata.resourceVersion, known.resourceVersion) === 'older'
    const folded = this.#folded.get(key)
    return folded !== undefined && ageOf(metadata.resourceVersion, folded.version) === 'older' // an earlier object of the same name
  }

  #isWrittenAfter(key: string, version: string): boolean {
    const folded = this.#folded.get(key)
    if (folded === undefined) return false
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
      return [...this.#end(key, known.metadata.uid, undefined), ...this.#put(key, object, isInitial)]
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
