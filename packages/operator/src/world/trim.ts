/**
 * What the caches keep of each kind: the fields that a loop reads, and nothing else. The types say the same, so that
 * nobody reads what is not there. Of `managedFields` only our own entry stays, for kinds that we apply, and whether there
 * is one of a former owner.
 *
 * @module
 */
import type { KubeObject, Live, ManagedFieldsEntry, ObjectMeta, Pod, PodStatus } from '@slurm-operator/kube'
import { keepOwnFields, type CachedMeta } from '@slurm-operator/runtime'

/** Under this name the API server notes which fields are ours. It must never change. */
export const FIELD_MANAGER = 'slurm-operator'

/** Whether this says which fields of an object we applied. */
export function isAppliedByUs(entry: ManagedFieldsEntry): boolean {
  return keepOwnFields([entry], FIELD_MANAGER).length > 0
}

/**
 * Whether this is about somebody who wrote the object as a whole and said who owns it, other than Kubernetes itself. Of
 * our children that can only be another operator of the same API, or a restore.
 */
export function isPlainOwner({ manager = '', operation, subresource, fieldsV1 }: ManagedFieldsEntry): boolean {
  if (operation !== 'Update' || (subresource ?? '') !== '' || manager.startsWith('kube-')) return false
  const metadata = (fieldsV1 as { readonly 'f:metadata'?: unknown } | undefined)?.['f:metadata']
  return typeof metadata === 'object' && metadata !== null && 'f:ownerReferences' in metadata
}

/** Enough to see that there is one: the fields themselves are read when they are taken over. */
function keepPlainOwner({ manager, operation, apiVersion }: ManagedFieldsEntry): ManagedFieldsEntry {
  const fieldsV1 = { 'f:metadata': { 'f:ownerReferences': {} } }
  return { ...defined({ manager, operation, apiVersion }), fieldsV1 }
}

/** The metadata that every cached object keeps. */
export type KeptMeta = CachedMeta &
  Pick<
    ObjectMeta,
    | 'labels'
    | 'annotations'
    | 'ownerReferences'
    | 'managedFields'
    | 'generation'
    | 'finalizers'
    | 'deletionGracePeriodSeconds'
  >

/** Any object, whole, with our own entry of `managedFields`. */
export type Kept<T extends KubeObject> = Live<T> & { readonly metadata: KeptMeta }

/** Keep everything but the `managedFields` of others. */
export function keepWhole<T extends KubeObject>(raw: Live<T>): Kept<T> {
  return { ...raw, metadata: keepMeta(raw.metadata) }
}

/** Our own kinds. */
export interface Specified {
  readonly spec: object
}

/** Keep everything, and a spec also where somebody wrote none: then every field of it has its default. */
export function keepSpecified<T extends KubeObject & Specified>(raw: Live<T>): Kept<T> {
  return keepWhole({ ...raw, spec: (raw.spec as T['spec'] | null | undefined) ?? {} })
}

/** Metadata alone, for kinds whose content is read only where somebody refers to it. */
export interface KeptMetadata {
  readonly metadata: Omit<KeptMeta, 'managedFields' | 'annotations'>
}

/** Keep the name, the version and who owns it. */
export function keepMetadata({ metadata }: { readonly metadata: ObjectMeta & CachedMeta }): KeptMetadata {
  const { annotations: _annotations, managedFields: _managedFields, ...kept } = keepMeta(metadata)
  return { metadata: kept }
}

/** What loops read of a pod. */
export interface KeptPod {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Omit<KeptMeta, 'managedFields'> & Pick<ObjectMeta, 'generateName'>
  readonly spec: Pick<
    NonNullable<Pod['spec']>,
    'nodeName' | 'hostname' | 'hostNetwork' | 'volumes' | 'nodeSelector' | 'affinity' | 'tolerations'
  >
  readonly status: Pick<
    PodStatus,
    | 'phase'
    | 'conditions'
    | 'podIP'
    | 'reason'
    | 'message'
    | 'containerStatuses'
    | 'initContainerStatuses'
    | 'startTime'
  >
}

/** Keep a few fields of a pod: most of it is the template that we know. */
export function keepPod({ apiVersion, kind, metadata, spec, status }: Live<Pod>): KeptPod {
  const { managedFields: _managedFields, ...meta } = keepMeta(metadata)
  const { nodeName, hostname, hostNetwork, nodeSelector, affinity, tolerations, volumes } = spec ?? {}
  const { generateName } = metadata
  const { phase, conditions, podIP, reason, message, containerStatuses, initContainerStatuses, startTime } =
    status ?? {}
  const claims = volumes?.filter(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined)
  return {
    apiVersion,
    kind,
    metadata: { ...meta, ...defined({ generateName }) },
    spec: defined({ nodeName, hostname, hostNetwork, nodeSelector, affinity, tolerations, volumes: claims }),
    status: defined({
      ...{ phase, conditions, podIP, reason, message, containerStatuses, initContainerStatuses, startTime },
    }),
  }
}

function keepMeta(meta: ObjectMeta & CachedMeta): KeptMeta {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, generation } = meta
  const { labels, annotations, ownerReferences, finalizers, deletionGracePeriodSeconds } = meta
  const managedFields = [
    ...keepOwnFields(meta.managedFields, FIELD_MANAGER),
    ...(meta.managedFields ?? []).filter(isPlainOwner).map(keepPlainOwner),
  ]
  return {
    ...{ name, uid, resourceVersion, creationTimestamp, managedFields },
    ...defined({ namespace, deletionTimestamp, generation, labels, annotations, ownerReferences }),
    ...defined({ finalizers, deletionGracePeriodSeconds }),
  }
}

/** Without the keys that have no value: for types in which a key is either absent or set. */
function defined<T extends object>(object: T): { readonly [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]: Exclude<T[K], undefined>
  }
}
