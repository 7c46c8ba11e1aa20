/**
 * From what an owner wants and what there is to what is to be done: one step for every wanted object, and one for every
 * object that is ours and wanted no longer. Nothing is read or written here.
 *
 * @module
 */
import {
  apiVersionOf,
  isControlledBy,
  keyOf,
  type KubeObject,
  type ObjectKey,
  type Resource,
} from '@slurm-operator/kube'
import { keyText } from '../loop/key-text.ts'
import type { ChildKind, ChildStep, DeleteStep, LiveChild, ParentObject } from './child.ts'
import { normalizeWanted } from './normalize-wanted.ts'
import { planChild, type ApplyRules } from './plan-child.ts'

/** One kind with all its objects that matter: those of the wanted names, and those of our owner. */
export interface ObservedKind {
  readonly resource: Resource<KubeObject>
  readonly live: readonly LiveChild[]
  readonly surplus?: 'delete' | 'keep'
}

/** Everything a plan is made from. */
export interface ChildrenPicture extends ApplyRules {
  /** The complete list: what is not in it is removed. */
  readonly wanted: readonly KubeObject[]
  readonly kinds: readonly ObservedKind[]
}

/** Read from the cache what a plan must see. */
export function observeChildren(
  owner: ParentObject,
  wanted: readonly KubeObject[],
  kinds: readonly ChildKind[],
): ObservedKind[] {
  return kinds.map(({ resource, find, ownedBy, surplus = 'delete' }) => {
    const named = wanted
      .filter((object) => isOfKind(object, resource))
      .flatMap((object) => find(keyIn(owner, object)) ?? [])
    const all = new Map([...named, ...ownedBy(owner.metadata.uid)].map((live) => [live.metadata.uid, live]))
    return { resource, live: [...all.values()], surplus }
  })
}

/** Decide about all children of one owner. Throws if a wanted object is of a kind that nobody told the engine about. */
export function planChildren(picture: ChildrenPicture): ChildStep[] {
  const { owner } = picture
  const wanted = picture.wanted.map((object) => normalizeWanted(object, owner))
  const planned = wanted.map((object, index) => planWanted(object, wanted.slice(0, index), picture))
  const surplus = picture.kinds.flatMap((kind) => planSurplus(kind, wanted, owner))
  return [...planned, ...surplus]
}

function planWanted(object: KubeObject, before: readonly KubeObject[], picture: ChildrenPicture): ChildStep {
  const { resource, live } = kindOf(object, picture.kinds)
  const key = keyOf(object)
  const why = whyImpossible(object, before, resource, picture.owner)
  if (why !== undefined) return { resource, key, do: 'refuse', ...why }
  return planChild(
    resource,
    object,
    live.find((one) => isSame(keyOf(one), key)),
    picture,
  )
}

function kindOf(object: KubeObject, kinds: readonly ObservedKind[]): ObservedKind {
  const found = kinds.find(({ resource }) => isOfKind(object, resource))
  if (found !== undefined) return found
  throw new Error(
    `Cannot plan ${object.kind} ${keyText(keyOf(object))}: ${object.apiVersion} ${object.kind} is not among the kinds of children. Add it to the list.`,
  )
}

function whyImpossible(
  object: KubeObject,
  before: readonly KubeObject[],
  resource: Resource<KubeObject>,
  { kind, metadata }: ParentObject,
): Pick<Extract<ChildStep, { do: 'refuse' }>, 'refusal' | 'because'> | undefined {
  const key = keyOf(object)
  const what = `${resource.kind} ${keyText(key)}`
  if (metadata.namespace !== undefined && (!resource.namespaced || key.namespace !== metadata.namespace)) {
    const because = `Cannot use ${what}: it is outside of the namespace ${metadata.namespace} of ${kind} ${metadata.name}. Owners own within their namespace only.`
    return { refusal: { reason: 'OtherNamespace' }, because }
  }
  if (!before.some((other) => isOfKind(other, resource) && isSame(keyOf(other), key))) return undefined
  const because = `Cannot use ${what}: two different parts want an object of this name. Rename one of them.`
  return { refusal: { reason: 'WantedTwice' }, because }
}

/** Only what our very owner decides about is ever deleted, whatever it is called. */
function planSurplus(
  { resource, live, surplus }: ObservedKind,
  wanted: readonly KubeObject[],
  owner: ParentObject,
): DeleteStep[] {
  if (surplus === 'keep') return []
  const keys = new Set(wanted.filter((object) => isOfKind(object, resource)).map((object) => keyText(keyOf(object))))
  return live
    .filter((child) => isControlledBy(child, owner) && child.metadata.namespace === owner.metadata.namespace)
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined && !keys.has(keyText(metadata)))
    .map(({ metadata }) => ({
      do: 'delete',
      resource,
      key: keyOf({ metadata }),
      uid: metadata.uid,
      version: metadata.resourceVersion,
      because: `${owner.kind} ${owner.metadata.name} no longer wants it`,
    }))
}

function isOfKind({ apiVersion, kind }: KubeObject, resource: Resource<KubeObject>): boolean {
  return kind === resource.kind && apiVersion === apiVersionOf(resource)
}

function isSame(one: ObjectKey, other: ObjectKey): boolean {
  return keyText(one) === keyText(other)
}

function keyIn({ metadata }: ParentObject, object: KubeObject): ObjectKey {
  const { name, namespace = metadata.namespace } = keyOf(object)
  return namespace === undefined ? { name } : { namespace, name }
}
