/**
 * What strategic merge must know about types: which lists are merged by which key. The table is generated from the
 * OpenAPI documents of the API server and handed in by the caller.
 *
 * @module
 */

/** All types that matter for merging, by their OpenAPI name such as `io.k8s.api.core.v1.PodSpec`. */
export type MergeSchema = Readonly<Record<string, MergeFields>>

/** The fields of one type; a field that is not listed holds plain data: maps are merged, lists are replaced. */
export type MergeFields = Readonly<Record<string, MergeField>>

/** How one field of a type is merged. */
export interface MergeField {
  /** The key that tells the elements of a list of maps apart (`x-kubernetes-patch-merge-key`). */
  readonly mergeKey?: string
  /** As in `x-kubernetes-patch-strategy`; absent means that lists are replaced and maps are merged. */
  readonly patchStrategy?: PatchStrategy
  /** The type of the field, or of the elements if it is a list; absent below free-form maps and scalars. */
  readonly of?: string
}

/** The words that occur in `x-kubernetes-patch-strategy`; `retainKeys` may stand beside one of the others. */
export type PatchStrategy = 'merge' | 'replace' | 'retainKeys' | 'merge,retainKeys' | 'replace,retainKeys'
