/**
 * Writes the status of objects: only what has changed, at most once a second for each object, and never over a state
 * that nobody looked at.
 *
 * @module
 */
import {
  isConflict,
  isNotFound,
  keyOf,
  type CallOptions,
  type Clock,
  type ObjectKey,
  type Patch,
} from '@slurm-operator/kube'
import { NoOpMemory } from '../apply/no-op-memory.ts'
import type { WantedStatus } from './build-status.ts'
import { planStatus, STATUS_PAUSE_MS, type StatusPicture, type StatusPlan } from './plan-status.ts'

/** An object whose status is written. */
export interface Reportable {
  readonly metadata: StatusPicture['live']['metadata'] & {
    readonly name: string
    readonly namespace?: string
    readonly generation?: number
  }
  readonly status?: object | undefined
}

/** Where it is written; the status subresource of a client fits. */
export interface StatusStore<T extends Reportable> {
  readonly patch: (
    key: ObjectKey,
    patch: Patch,
    options?: CallOptions & { readonly fieldManager?: string },
  ) => Promise<T>
}

/** What came of it. */
export type StatusResult<T> =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'written'; readonly object: T }
  /** Look again then: it will be written together with what happens meanwhile. */
  | { readonly kind: 'later'; readonly inMs: number }
  /** Somebody else was faster; the next pass sees what they wrote. */
  | { readonly kind: 'conflict' }
  /** The object is gone, and nobody is left to read it. */
  | { readonly kind: 'gone' }

/** What a writer is made of. */
export interface StatusWriterOptions<T extends Reportable> {
  readonly store: StatusStore<T>
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly fieldManager: string
  /** Hand the answer to the cache, so that the next pass reads what this one wrote. */
  readonly wrote?: (object: T) => void
}

/** Writes the status of the objects of one kind. */
export class StatusWriter<T extends Reportable> {
  readonly #options: StatusWriterOptions<T>
  readonly #memory = new NoOpMemory()
  /** When it was last sent, by uid; the oldest first. */
  readonly #sentAtMs = new Map<string, number>()

  constructor(options: StatusWriterOptions<T>) {
    this.#options = options
  }

  /** Write the status if it is time and if it says something new. Throws what the server says beyond conflicts. */
  async write(live: T, wanted: WantedStatus, options: CallOptions = {}): Promise<StatusResult<T>> {
    const plan = this.#plan(live, wanted)
    if (plan.do === 'nothing') return { kind: 'unchanged' }
    if (plan.do === 'later') return { kind: 'later', inMs: plan.inMs }
    try {
      return { kind: 'written', object: await this.#send(live, plan, options) }
    } catch (error) {
      if (isConflict(error)) return { kind: 'conflict' }
      if (isNotFound(error)) return { kind: 'gone' }
      throw error
    }
  }

  #plan(live: T, wanted: WantedStatus): StatusPlan {
    const { clock } = this.#options
    const sentAtMs = this.#sentAtMs.get(live.metadata.uid)
    const sentAgoMs = sentAtMs === undefined ? undefined : clock.monotonic() - sentAtMs
    return planStatus({ live, wanted, nowMs: clock.now(), sentAgoMs, knownNoOps: this.#memory })
  }

  async #send(live: T, { patch, fingerprint }: Extract<StatusPlan, { do: 'send' }>, options: CallOptions): Promise<T> {
    const { store, fieldManager, wrote } = this.#options
    const { uid, resourceVersion } = live.metadata
    this.#remember(uid)
    const object = await store.patch(keyOf(live), { type: 'merge', body: patch }, { ...options, fieldManager })
    // The server stores nothing of it, because the CRD has no such field: it would never come to rest.
    if (object.metadata.resourceVersion === resourceVersion) this.#memory.learn(uid, fingerprint)
    wrote?.(object)
    return object
  }

  #remember(uid: string): void {
    const nowMs = this.#options.clock.monotonic()
    this.#sentAtMs.delete(uid)
    this.#sentAtMs.set(uid, nowMs)
    for (const [other, atMs] of this.#sentAtMs) {
      if (nowMs - atMs < STATUS_PAUSE_MS) return
      this.#sentAtMs.delete(other)
    }
  }
}
