/**
 * Compares a cache with the server from time to time. A watch that silently loses an event is a bug, of ours or of
 * somebody on the way; nobody would notice but the user whose object is never looked at again.
 *
 * @module
 */
import { sleep, type Clock, type ObjectKey, type Random, type Reader } from '@slurm-operator/kube'
import type { Cached } from '../cache/cached.ts'
import { keyFromText, keyText } from '../loop/key-text.ts'
import type { Component, Life } from '../manager/component.ts'
import { findDifferences, isMissed, markOf, type Difference, type StateMark } from './find-differences.ts'

/** What of a cache is checked, and how it is repaired. */
export interface CheckedCache {
  readonly name: string
  readonly hasSynced: boolean
  get(key: ObjectKey): Cached | undefined
  list(): readonly Cached[]
  listAgain(): void
}

/** What a check is made of. */
export interface SelfCheckOptions {
  readonly cache: CheckedCache
  /** Metadata is enough, and a fraction of the bytes. */
  readonly reader: Pick<Reader<Cached>, 'visit' | 'find'>
  readonly namespaces?: readonly string[]
  readonly labelSelector?: string
  readonly clock: Clock
  readonly random: Random
  readonly everyMs?: number
  readonly observer?: SelfCheckObserver
}

/** Who wants to know. */
interface SelfCheckObserver {
  readonly checked?: (count: number) => void
  /** A real difference: it is being repaired by a new list. */
  readonly missed?: (differences: readonly Difference[]) => void
  readonly failed?: (error: unknown) => void
}

const EVERY_MS = 10 * 60_000
const ON_ITS_WAY_MS = 30_000
const MOST_SECOND_LOOKS = 50

/** Checks one cache for as long as the program runs. */
export class SelfCheck implements Component {
  readonly name: string
  readonly #options: SelfCheckOptions

  constructor(options: SelfCheckOptions) {
    this.name = `self-check of ${options.cache.name}`
    this.#options = options
  }

  async run({ stop, ready }: Life): Promise<void> {
    ready()
    const { clock, random, everyMs = EVERY_MS, observer } = this.#options
    while (!stop.aborted) {
      await sleep(clock, everyMs * (0.8 + 0.4 * random()), stop).catch(() => {}) // aborted: the loop ends
      if (!stop.aborted) await this.check(stop).catch((error: unknown) => observer?.failed?.(error))
    }
  }

  /** One check: two looks, half a minute apart if the first finds something. */
  async check(signal: AbortSignal): Promise<readonly Difference[]> {
    const { cache, clock, observer } = this.#options
    if (!cache.hasSynced) return []
    const stored = await this.#readStored(signal)
    const suspicious = findDifferences(
      new Map(cache.list().map((object) => [keyText(object.metadata), markOf(object)])),
      stored,
    )
    observer?.checked?.(stored.size)
    if (suspicious.length === 0) return []
    await sleep(clock, ON_ITS_WAY_MS, signal)
    const missed = await this.#lookAgain(suspicious.slice(0, MOST_SECOND_LOOKS), signal)
    if (missed.length > 0) {
      observer?.missed?.(missed)
      cache.listAgain()
    }
    return missed
  }

  async #readStored(signal: AbortSignal): Promise<Map<string, StateMark>> {
    const { reader, namespaces, labelSelector } = this.#options
    const stored = new Map<string, StateMark>()
    for (const namespace of namespaces ?? [undefined]) {
      const part = new Map<string, StateMark>()
      await reader.visit(
        { namespace, labelSelector, signal, skipManagedFields: true },
        {
          item: (object) => void part.set(keyText(object.metadata), markOf(object)),
          gone: (object) => void part.delete(keyText(object.metadata)),
          restart: () => part.clear(),
        },
      )
      for (const [key, mark] of part) stored.set(key, mark)
    }
    return stored
  }

  async #lookAgain(suspicious: readonly Difference[], signal: AbortSignal): Promise<Difference[]> {
    const { cache, reader } = this.#options
    const missed: Difference[] = []
    for (const earlier of suspicious) {
      const key = keyFromText(earlier.key)
      const stored = markOf(await reader.find(key, { signal }))
      const cached = markOf(cache.get(key))
      if (isMissed(earlier, { cached, stored })) missed.push({ key: earlier.key, cached, stored })
    }
    return missed
  }
}
