import type { ObjectMeta } from '../types/generated/meta-v1.ts'
import type { Shape } from './reader.ts'
import { apiVersionOf, type KubeObject, type Live, type Resource } from './resource.ts'

/** An object of any kind, reduced to its metadata. */
export interface PartialObjectMetadata {
  readonly apiVersion: 'meta.k8s.io/v1'
  readonly kind: 'PartialObjectMetadata'
  readonly metadata: ObjectMeta
}

/** Objects as they are. The items of a list do not say what they are; here they do. */
export function wholeShape<T extends KubeObject>(resource: Resource<T>): Shape<Live<T>> {
  const names = { apiVersion: apiVersionOf(resource), kind: resource.kind }
  return {
    acceptObject: 'application/json',
    acceptList: 'application/json',
    revive: (item) => (hasKind(item) ? (item as Live<T>) : ({ ...names, ...(item as object) } as Live<T>)),
  }
}

/** Metadata only: what the server leaves out is neither sent nor read. Old servers send it all, and we leave it out. */
export const metadataShape: Shape<Live<PartialObjectMetadata>> = {
  acceptObject: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
  acceptList: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
  revive(item) {
    const { metadata } = item as Live<PartialObjectMetadata>
    return { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata }
  },
}

function hasKind(item: unknown): boolean {
  return (item as { readonly kind?: unknown }).kind !== undefined
}
