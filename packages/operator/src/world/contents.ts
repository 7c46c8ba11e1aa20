/**
 * The content of Secrets and ConfigMaps. A cluster may hold thousands of them that do not concern us, so the watch brings
 * metadata only, and content is read where somebody refers to it. What was read once is kept for as long as its version
 * is the newest.
 *
 * @module
 */
import {
  isNotFound,
  type CallOptions,
  type KubeObject,
  type Live,
  type ObjectKey,
  type ResourceClient,
} from '@slurm-operator/kube'
import { keyText, type CacheReader } from '@slurm-operator/runtime'
import { keepWhole, type Kept, type KeptMetadata } from './trim.ts'

/** What of a metadata cache is needed. */
interface MetadataCache extends CacheReader<KeptMetadata> {
  wrote(raw: Live<KubeObject>): void
  listen(listener: (change: { readonly kind: string; readonly object: KeptMetadata }) => void): () => void
}

/** The objects of one kind, by content. */
export class Contents<T extends KubeObject> {
  readonly #cache: MetadataCache
  readonly #client: Pick<ResourceClient<T>, 'get'>
  readonly #known = new Map<string, Kept<T>>()
  readonly #onContent: (object: Kept<T>) => void

  /** @param onContent hears of every content before anybody else */
  constructor(
    cache: MetadataCache,
    client: Pick<ResourceClient<T>, 'get'>,
    onContent: (object: Kept<T>) => void = () => {},
  ) {
    this.#cache = cache
    this.#client = client
    this.#onContent = onContent
    cache.listen(({ kind, object }) => {
      if (kind === 'deleted') this.#known.delete(keyText(object.metadata))
    })
  }

  /** Read it; undefined: there is none. Costs a request only if its version is new to us. */
  async read(key: ObjectKey, options?: CallOptions): Promise<Kept<T> | undefined> {
    const metadata = this.#cache.get(key)?.metadata
    if (metadata === undefined) return undefined
    const known = this.#known.get(keyText(key))
    if (known?.metadata.resourceVersion === metadata.resourceVersion) return known
    try {
      return this.wrote(await this.#client.get(key, options))
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  /** What was read of it before, without a request. */
  find(key: ObjectKey): Kept<T> | undefined {
    return this.#cache.get(key) === undefined ? undefined : this.#known.get(keyText(key))
  }

  /** Read all that this object owns, and those with these names, so that `find` and `ownedBy` answer. */
  async load(uid: string, keys: readonly ObjectKey[], options?: CallOptions): Promise<void> {
    const owned = this.#cache.by('owner', uid).map(({ metadata }) => metadata)
    await Promise.all([...owned, ...keys].map((key) => this.read(key, options)))
  }

  /** Those with an owner reference to this object, as far as they have been loaded. */
  ownedBy(uid: string): readonly Kept<T>[] {
    return this.#cache.by('owner', uid).flatMap(({ metadata }) => this.find(metadata) ?? [])
  }

  /** The server answered with this state. */
  wrote(raw: Live<T>): Kept<T> {
    const kept = keepWhole(raw)
    this.#onContent(kept)
    this.#cache.wrote(raw)
    this.#known.set(keyText(kept.metadata), kept)
    return kept
  }
}
