/**
 * What server-side apply must know about types: which lists are one value, which are sets, and which are maps by key.
 * The table is generated from the OpenAPI documents of the API server.
 *
 * @module
 */

/** All types that matter, by their OpenAPI name such as `io.k8s.api.core.v1.PodSpec`. */
export type ApplySchema = Readonly<Record<string, Readonly<Record<string, ApplyField>>>>

/** How one field is owned. A list without a type is one value, a map without a type is owned key by key. */
export interface ApplyField {
  readonly listType?: 'atomic' | 'set' | 'map'
  /** The fields that tell the elements of a `map` list apart. */
  readonly keys?: readonly string[]
  readonly mapType?: 'atomic' | 'granular'
  /** The type of the field, or of the elements if it is a list or a map. */
  readonly of?: string
}
