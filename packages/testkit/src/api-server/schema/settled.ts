import type { JSONSchemaProps, JsonValue } from '@slurm-operator/kube'

/**
 * Which values have been through a schema already. Stored values never change in place, and most of an object is the same
 * from write to write: going through the schema once more would change nothing, and find nothing.
 */
export class Settled {
  readonly #known = new WeakMap<object, JSONSchemaProps>()

  has(value: JsonValue, schema: JSONSchemaProps): boolean {
    return typeof value === 'object' && value !== null && this.#known.get(value) === schema
  }

  add(value: JsonValue | undefined, schema: JSONSchemaProps | undefined): void {
    if (typeof value === 'object' && value !== null && schema !== undefined) this.#known.set(value, schema)
  }
}
