/**
 * What values the fields of a type may hold, for checking what somebody wrote by hand. The table is generated from the
 * OpenAPI documents of the API server.
 *
 * @module
 */

/** The types below a pod, a Service and a claim, by their OpenAPI name such as `io.k8s.api.core.v1.PodSpec`. */
export type ValueSchema = Readonly<Record<string, Readonly<Record<string, ValueField>>>>

/** What a single value may be. */
export type SimpleValue =
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'number'
  | 'quantity'
  | 'int-or-string'
  | 'time'
  | 'any'

/** What one field holds: a single value, an object of a type, a list or a map of either. */
export interface ValueField {
  readonly holds: 'one' | 'list' | 'map'
  /** A single value; absent for objects. */
  readonly simple?: SimpleValue
  /** The type of the object. */
  readonly of?: string
  /** The words that are allowed, in this version of Kubernetes. */
  readonly words?: readonly string[]
}
