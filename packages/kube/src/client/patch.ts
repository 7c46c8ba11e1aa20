/** How an object is to be changed. */
export type Patch =
  /** Operations of RFC 6902, in their order; `test` makes them conditional. */
  | { readonly type: 'json'; readonly operations: readonly object[] }
  /** RFC 7386: maps are merged, null removes, lists are replaced. */
  | { readonly type: 'merge'; readonly body: object }
  /** Kubernetes' own: some lists are merged by key. Built-in kinds only. */
  | { readonly type: 'strategic'; readonly body: object }

const contentTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

/** The content type of server-side apply. JSON is YAML. */
export const APPLY = 'application/apply-patch+yaml'

/** What a patch looks like on the wire. */
export function patchBody(patch: Patch): { readonly contentType: string; readonly content: unknown } {
  return { contentType: contentTypes[patch.type], content: patch.type === 'json' ? patch.operations : patch.body }
}
