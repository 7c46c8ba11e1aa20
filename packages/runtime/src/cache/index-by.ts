/** Which values an object is found under, such as the uid of its owner or the names of the Secrets it refers to. */
export type IndexFunction<T> = (object: T) => readonly string[]

/** Objects by a value that they have, kept up to date. */
export class Index<T> {
  readonly #valuesOf: IndexFunction<T>
  readonly #keys = new Map<string, Set<string>>()

  constructor(valuesOf: IndexFunction<T>) {
    this.#valuesOf = valuesOf
  }

  add(key: string, object: T): void {
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keys.get(value)
      if (keys === undefined) this.#keys.set(value, new Set([key]))
      else keys.add(key)
    }
  }

  remove(key: string, object: T): void {
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keys.get(value)
      keys?.delete(key)
      if (keys?.size === 0) this.#keys.delete(value)
    }
  }

  keysOf(value: string): readonly string[] {
    return [...(this.#keys.get(value) ?? [])]
  }
}
