import type { ObjectReference } from '@slurm-operator/kube'

/** What an Event is about. An object from the cache has all of it. */
export interface Regarded {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid?: string }
}

/** Something that users should read about one of their objects. */
export interface Happening {
  readonly regarding: Regarded
  /** A second object that has to do with it, such as the pod that was made. */
  readonly related?: Regarded
  readonly type: 'Normal' | 'Warning'
  /** A stable CamelCase word. */
  readonly reason: string
  /** What was done or tried, in one word: `Create`. */
  readonly action: string
  /** A sentence for people. */
  readonly note: string
}

/** As it stands in an Event. */
export function referenceTo({ apiVersion, kind, metadata }: Regarded): ObjectReference {
  const { name, namespace, uid } = metadata
  return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }), ...(uid !== undefined && { uid }) }
}
