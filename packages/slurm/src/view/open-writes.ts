import type { Write } from './writes.ts'

/** Writes that no list has confirmed yet, found by their record: thousands may be open while everybody asks about one. */
export class OpenWrites<T> {
  readonly #all = new Map<number, Write<T>>()
  readonly #byName = new Map<string, Map<number, Write<T>>>()

  all(): readonly Write<T>[] {
    return [...this.#all.values()]
  }

  /** Those to one record, in the order in which they were put. */
  of(name: string): readonly Write<T>[] {
    return [...(this.#byName.get(name)?.values() ?? [])]
  }

  /** Has any of them ended? */
  get hasSettled(): boolean {
    for (const { settledAt } of this.#all.values()) if (settledAt !== undefined) return true
    return false
  }

  put(write: Write<T>): void {
    this.#all.set(write.id, write)
    for (const name of write.names) {
      const ofName = this.#byName.get(name) ?? new Map<number, Write<T>>()
      this.#byName.set(name, ofName.set(write.id, write))
    }
  }

  take(id: number): Write<T> | undefined {
    const write = this.#all.get(id)
    this.#all.delete(id)
    for (const name of write?.names ?? []) {
      this.#byName.get(name)?.delete(id)
      if (this.#byName.get(name)?.size === 0) this.#byName.delete(name)
    }
    return write
  }

  /** Take out those that a list asked for at this counter confirms. It cannot know of the others. */
  confirm(listBeganAt: number): readonly Write<T>[] {
    const isConfirmed = ({ settledAt }: Write<T>): boolean => settledAt !== undefined && settledAt < listBeganAt
    const confirmed = this.all().filter(isConfirmed)
    for (const { id } of confirmed) this.take(id)
    return confirmed
  }
}
