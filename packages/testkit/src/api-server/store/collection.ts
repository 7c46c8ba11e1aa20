import type { ApiObject, ObjectKeyText } from '../objects/api-object.ts'

/** The objects of one resource, by key. */
export class Collection {
  readonly #objects = new Map<ObjectKeyText, ApiObject>()
  #sorted: readonly ApiObject[] | undefined

  get(key: ObjectKeyText): ApiObject | undefined {
    return this.#objects.get(key)
  }

  set(key: ObjectKeyText, object: ApiObject): void {
    this.#objects.set(key, object)
    this.#sorted = undefined
  }

  delete(key: ObjectKeyText): void {
    this.#objects.delete(key)
    this.#sorted = undefined
  }

  /** In the order of the keys, as bytes: what `list` answers with. */
  all(): readonly ApiObject[] {
    this.#sorted ??= [...this.#objects].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, object]) => object)
    return this.#sorted
  }
}
