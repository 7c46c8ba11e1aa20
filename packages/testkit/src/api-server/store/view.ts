import type { Store, StoredChange } from './store.ts'

/**
 * What one API server has learnt of the data. There may be several on the same data, and one of them may lag behind:
 * its watches are late, and reads that allow a cached answer get an old one. Writes are never late.
 */
export class ServerView {
  readonly #store: Store
  readonly #listeners = new Set<(change: StoredChange) => void>()
  readonly #thawListeners = new Set<() => void>()
  readonly #late: StoredChange[] = []
  readonly #stopListening: () => void
  readonly #stopKeeping: () => void
  #frozenAt: number | undefined

  constructor(store: Store) {
    this.#store = store
    this.#stopKeeping = store.keepFrom(() => this.#frozenAt ?? Infinity)
    this.#stopListening = store.listen((change) => {
      if (this.#frozenAt === undefined) this.#tell(change)
      else this.#late.push(change)
    })
  }

  /** The newest version that it knows of. */
  get version(): number {
    return this.#frozenAt ?? this.#store.version
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== undefined
  }

  /** From now on it learns nothing. */
  freeze(): void {
    this.#frozenAt ??= this.#store.version
  }

  /** It learns everything that it missed, at once. */
  thaw(): void {
    this.#frozenAt = undefined
    for (const change of this.#late.splice(0)) this.#tell(change)
    for (const listener of [...this.#thawListeners]) listener()
  }

  /** Be told when it knows everything again. */
  whenThawed(listener: () => void): () => void {
    this.#thawListeners.add(listener)
    return () => this.#thawListeners.delete(listener)
  }

  listen(listener: (change: StoredChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** This server is gone. */
  close(): void {
    this.#stopListening()
    this.#stopKeeping()
    this.#listeners.clear()
  }

  #tell(change: StoredChange): void {
    for (const listener of [...this.#listeners]) listener(change)
  }
}
