import type { ObjectMeta } from '../types/generated/meta-v1.ts'

/** What every object has. */
export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
}

/** What the server has put into the metadata of every object that it stores. */
export interface LiveMeta {
  readonly name: string
  readonly uid: string
  /** Opaque: it may be compared for equality, sent back, and nothing else. */
  readonly resourceVersion: string
  readonly creationTimestamp: string
}

/** An object as the server answers with it. */
export type Live<T extends KubeObject> = T & { readonly metadata: LiveMeta }

/** The name of an object within its resource. */
export interface ObjectKey {
  /** Not for objects that live outside of namespaces. */
  readonly namespace?: string | undefined
  readonly name: string
}

declare const objectType: unique symbol

/** Where the objects of one kind are, and what type they have. */
export interface Resource<T extends KubeObject> {
  /** '' for the core group. */
  readonly group: string
  readonly version: string
  /** As in the path: `pods`. */
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
  /** Never set: it only carries the type. */
  readonly [objectType]?: T
}

/** Describe a resource; ours and those of other people's CRDs alike. */
export function defineResource<T extends KubeObject>(description: Omit<Resource<T>, typeof objectType>): Resource<T> {
  return description
}

/** The `apiVersion` of its objects. */
export function apiVersionOf({ group, version }: Pick<Resource<KubeObject>, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}

/** The key of an object. */
export function keyOf({
  metadata,
}: {
  readonly metadata: { readonly name?: string; readonly namespace?: string }
}): ObjectKey {
  const { name = '', namespace } = metadata
  return namespace === undefined ? { name } : { namespace, name }
}
