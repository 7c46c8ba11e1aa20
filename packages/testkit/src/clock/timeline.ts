/** Something that will happen at a time. */
export interface Moment {
  readonly atMs: number
  /** Moments of the same time happen in the order in which they were added. */
  readonly order: number
  readonly action: () => void
  isCancelled: boolean
}

/** What will happen, soonest first: a binary heap. Cancelled moments stay in it until they come up. */
export class Timeline {
  readonly #heap: Moment[] = []
  #added = 0

  /** Add a moment; the answer takes it back. */
  add(atMs: number, action: () => void): () => void {
    const moment = { atMs, order: this.#added++, action, isCancelled: false }
    this.#heap.push(moment)
    this.#rise(this.#heap.length - 1)
    return () => {
      moment.isCancelled = true
    }
  }

  /** The next moment, left where it is. */
  peek(): Moment | undefined {
    this.#dropCancelled()
    return this.#heap[0]
  }

  /** Take the next moment out. */
  take(): Moment | undefined {
    this.#dropCancelled()
    return this.#takeFirst()
  }

  #dropCancelled(): void {
    while (this.#heap[0]?.isCancelled === true) this.#takeFirst()
  }

  #takeFirst(): Moment | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (first === undefined || last === undefined || first === last) return first
    this.#heap[0] = last
    this.#sink(0)
    return first
  }

  #rise(start: number): void {
    let at = start
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#swapIfBefore(at, parent)) return
      at = parent
    }
  }

  #sink(start: number): void {
    let at = start
    for (;;) {
      const left = 2 * at + 1
      const [one, other] = [this.#heap[left], this.#heap[left + 1]]
      const child = one !== undefined && other !== undefined && isBefore(other, one) ? left + 1 : left
      if (!this.#swapIfBefore(child, at)) return
      at = child
    }
  }

  #swapIfBefore(lower: number, upper: number): boolean {
    const below = this.#heap[lower]
    const above = this.#heap[upper]
    if (below === undefined || above === undefined || !isBefore(below, above)) return false
    this.#heap[lower] = above
    this.#heap[upper] = below
    return true
  }
}

function isBefore(one: Moment, other: Moment): boolean {
  return one.atMs === other.atMs ? one.order < other.order : one.atMs < other.atMs
}
