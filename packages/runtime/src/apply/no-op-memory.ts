import { createHash } from 'node:crypto'
import { stringifyJson } from '@slurm-operator/kube'

/** What `NoOpMemory` tells a plan. */
export interface KnownNoOps {
  readonly has: (uid: string, fingerprint: string) => boolean
}

/** Nothing is known. */
export const noKnownNoOps: KnownNoOps = { has: () => false }

const MOST_OBJECTS = 2_000
const MOST_EACH = 8

/**
 * Writes that the server answered without changing anything, told by the differences that led to them. Somebody else
 * decides about these fields: a default, an admission webhook, a field that this server does not store. The same
 * differences are not sent again. To forget all of it costs one useless write for each.
 */
export class NoOpMemory implements KnownNoOps {
  readonly #known = new Map<string, readonly string[]>()

  has(uid: string, fingerprint: string): boolean {
    return this.#known.get(uid)?.includes(fingerprint) ?? false
  }

  learn(uid: string, fingerprint: string): void {
    const known = this.#known.get(uid) ?? []
    this.#known.delete(uid) // to the end of the line: the oldest are forgotten first
    this.#known.set(uid, [...known, fingerprint].slice(-MOST_EACH))
    if (this.#known.size > MOST_OBJECTS) this.#known.delete(this.#known.keys().next().value ?? '')
  }

  get size(): number {
    return this.#known.size
  }
}

/** A short text that stands for what was to be changed. It gives no value away. */
export function fingerprintOf(change: unknown): string {
  return createHash('sha256').update(stringifyJson(change)).digest('base64url').slice(0, 22)
}
