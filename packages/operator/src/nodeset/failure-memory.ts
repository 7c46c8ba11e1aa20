/** How long a failure counts. */
const FORGOTTEN_AFTER_MS = 20 * 60_000

interface Failures {
  readonly count: number
  readonly lastMs: number
}

/**
 * How often worker pods in one place have failed lately, so that the next one comes later each time. It is only memory:
 * an operator that starts anew begins with the shortest pause.
 */
export class FailureMemory {
  readonly #known = new Map<string, Failures>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** A pod that had failed was removed. */
  note(key: string): void {
    const nowMs = this.#nowMs()
    this.#known.set(key, { count: this.count(key) + 1, lastMs: nowMs })
    for (const [other, { lastMs }] of this.#known) if (nowMs - lastMs > FORGOTTEN_AFTER_MS) this.#known.delete(other)
  }

  count(key: string): number {
    const found = this.#known.get(key)
    return found === undefined || this.#nowMs() - found.lastMs > FORGOTTEN_AFTER_MS ? 0 : found.count
  }
}
