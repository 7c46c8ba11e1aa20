/**
 * The words of the apply engine: children that an owner wants, children that exist, and what is done about them.
 *
 * @module
 */
import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  KubeObject,
  LiveMeta,
  ObjectKey,
  ObjectMeta,
  OwnerReference,
  Patch,
  Resource,
  WriteOptions,
} from '@slurm-operator/kube'
import type { Difference } from './difference.ts'

/** An object as the cache holds it. Of `managedFields` it must keep our own entry: see `keepOwnFields`. */
export interface LiveChild {
  readonly metadata: LiveMeta &
    Pick<ObjectMeta, 'namespace' | 'deletionTimestamp' | 'ownerReferences' | 'managedFields'>
}

/** The object whose children are meant. */
export interface ParentObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly uid: string; readonly namespace?: string }
}

/** One kind of children: where they are read, and how they are written. Reads come from the cache, except `read`. */
export interface ChildKind {
  readonly resource: Resource<KubeObject>
  readonly find: (key: ObjectKey) => LiveChild | undefined
  /** Those with an owner reference to this uid. */
  readonly ownedBy: (uid: string) => readonly LiveChild[]
  /**
   * Ask the server. Before something is created, a cache that lags must not make us take what is somebody else's. With
   * all of `managedFields`: see `takeBackPorts`.
   */
  readonly read: (key: ObjectKey, options: CallOptions) => Promise<LiveChild | undefined>
  readonly apply: (object: KubeObject, options: ApplyOptions) => Promise<LiveChild>
  readonly patch: (key: ObjectKey, patch: Patch, options: WriteOptions) => Promise<unknown>
  readonly delete: (key: ObjectKey, options: DeleteOptions) => Promise<unknown>
  /** `keep`: what is no longer wanted stays, as claims with data in them do. Default `delete`. */
  readonly surplus?: 'delete' | 'keep'
}

/** The parts of a child kind with their type; see `childKind`. */
interface TypedChildKind<T extends KubeObject> extends Omit<ChildKind, 'resource' | 'apply'> {
  readonly resource: Resource<T>
  readonly apply: (object: T, options: ApplyOptions) => Promise<LiveChild>
}

/** Kinds of different types in one list: the engine sends an object only to the kind whose name it bears. */
export function childKind<T extends KubeObject>(parts: TypedChildKind<T>): ChildKind {
  return parts as unknown as ChildKind
}

/** Why an object that we want is not touched. */
export type Refusal =
  /** It exists and belongs to this owner, or to nobody at all. */
  | { readonly reason: 'NotOurs'; readonly owner: OwnerReference | undefined }
  /** Owners own within their namespace only. */
  | { readonly reason: 'OtherNamespace' }
  /** Two wanted objects have the same name. */
  | { readonly reason: 'WantedTwice' }

interface AnyStep {
  readonly resource: Resource<KubeObject>
  readonly key: ObjectKey
  /** For people. It names fields, never values: those may be secret. */
  readonly because: string
}

/** What is to be done about one child. */
export type ChildStep = CreateStep | ApplyStep | DeleteStep | IdleStep | WaitStep | RefuseStep

/** It does not exist yet. */
export interface CreateStep extends AnyStep {
  readonly do: 'create'
  readonly object: KubeObject
}

/** Fields that we set are not as we want them. */
export interface ApplyStep extends AnyStep {
  readonly do: 'apply'
  readonly object: KubeObject
  /** The state that was compared. */
  readonly live: LiveChild
  readonly differences: readonly Difference[]
}

/** It is ours and no longer wanted. */
export interface DeleteStep extends AnyStep {
  readonly do: 'delete'
  readonly uid: string
  /** Only in this state: somebody may have taken the owner reference away to keep it. */
  readonly version: string
  readonly propagation?: DeleteOptions['propagation']
}

/** All is as wanted. */
interface IdleStep extends AnyStep {
  readonly do: 'nothing'
}

/** It is going away by itself; then it is created. */
export interface WaitStep extends AnyStep {
  readonly do: 'wait'
  readonly lookAgainInSeconds: number
}

/** Only a person can help. */
export interface RefuseStep extends AnyStep {
  readonly do: 'refuse'
  readonly refusal: Refusal
}
