import {
  findControllingOwner,
  isOwnedBy,
  type KubeObject,
  type ObjectKey,
  type OwnerReference,
  type Resource,
} from '@slurm-operator/kube'
import { keyText } from '../loop/key-text.ts'
import type { LiveChild, ParentObject } from './child.ts'

/** How a live object stands to the wanted one of the same name. */
export type Belonging =
  | { readonly kind: 'ours' }
  /** It belongs to an owner that had our owner's name before: the garbage collector will remove it. */
  | { readonly kind: 'former'; readonly owner: OwnerReference }
  | { readonly kind: 'foreign'; readonly owner: OwnerReference | undefined }

/**
 * Whether the live object is ours to change. The wanted object says who decides about it; if it names owners but none
 * that decides, it is shared, and one common owner is enough as long as nobody else decides.
 */
export function belongingOf(live: LiveChild, wanted: KubeObject, owner: ParentObject): Belonging {
  const decides = findControllingOwner(live)
  const wished = findControllingOwner(wanted)
  if (decides !== undefined && decides.uid === wished?.uid) return { kind: 'ours' }
  if (decides === undefined && wished === undefined && haveCommonOwner(live, wanted)) return { kind: 'ours' }
  if (decides !== undefined && wished?.uid === owner.metadata.uid && isFormer(decides, owner)) {
    return { kind: 'former', owner: decides }
  }
  return { kind: 'foreign', owner: decides ?? live.metadata.ownerReferences?.[0] }
}

function haveCommonOwner(live: LiveChild, wanted: KubeObject): boolean {
  return (wanted.metadata.ownerReferences ?? []).some(({ uid }) => isOwnedBy(live, { metadata: { uid } }))
}

function isFormer(reference: OwnerReference, { kind, apiVersion, metadata }: ParentObject): boolean {
  const group = (version: string) => version.slice(0, Math.max(0, version.indexOf('/')))
  return (
    reference.kind === kind && reference.name === metadata.name && group(reference.apiVersion) === group(apiVersion)
  )
}

/** The sentence for people. */
export function describeForeign(
  resource: Resource<KubeObject>,
  key: ObjectKey,
  owner: OwnerReference | undefined,
): string {
  const whose =
    owner === undefined ? 'nobody owns it, so we did not make it' : `it belongs to ${owner.kind} ${owner.name}`
  return `Cannot use ${resource.kind} ${keyText(key)}: it exists and ${whose}. Delete or rename it, or choose another name.`
}
