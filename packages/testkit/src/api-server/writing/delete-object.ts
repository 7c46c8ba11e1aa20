import { equalJson, printTime } from '@slurm-operator/kube'
import type { ServerCore } from '../core.ts'
import { graceOf } from '../kinds/pod-rules.ts'
import { keyTextOf, withMeta, type ApiObject } from '../objects/api-object.ts'
import { ApiFailure, forbidden } from '../objects/failure.ts'
import type { DeleteOptions } from '../requests/read-delete-options.ts'
import { storageOf, type ResourceType } from '../resources/resource-type.ts'
import { endIfReady } from './end-object.ts'

/** What is left after a delete: nothing, or an object that still waits for somebody. */
export interface Deletion {
  readonly object: ApiObject
  readonly isGone: boolean
}

/** Holds a CRD until the last object of its kind is gone. */
export const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io'

const undeletable: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public'])

/** Delete an object, or begin to. */
export function deleteObject(
  core: ServerCore,
  type: ResourceType,
  object: ApiObject,
  options: DeleteOptions,
): Deletion {
  checkPreconditions(object, type, options)
  if (isKind(type, 'CustomResourceDefinition')) return deleteDefinition(core, type, object, options)
  if (isKind(type, 'Namespace')) return deleteNamespace(core, type, object, options)
  const marked = mark(core, type, object, options)
  const mustWait =
    (marked.metadata.finalizers ?? []).length > 0 || (marked.metadata.deletionGracePeriodSeconds ?? 0) > 0
  if (options.isDryRun) return { object: marked, isGone: !mustWait }
  const storage = storageOf(type)
  if (mustWait) return { object: equalJson(marked, object) ? object : core.store.put(storage, marked), isGone: false }
  // A pod is seen with its deletion mark before it goes, everything else goes at once.
  const last = isKind(type, 'Pod') && !equalJson(marked, object) ? core.store.put(storage, marked) : object
  return { object: core.store.remove(storage, keyTextOf(last.metadata)) ?? last, isGone: true }
}

function isKind({ kind, custom }: ResourceType, wanted: string): boolean {
  return kind === wanted && custom === undefined
}

function checkPreconditions(
  { metadata }: ApiObject,
  type: ResourceType,
  { uid, resourceVersion }: DeleteOptions,
): void {
  const refuse = (why: string) =>
    new ApiFailure(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${type.kind}${type.group && `.${type.group}`} "${metadata.name}": ${why}`,
      {
        details: { name: metadata.name, ...(type.group !== '' && { group: type.group }), kind: type.kind },
      },
    )
  if (uid !== undefined && uid !== metadata.uid) {
    throw refuse(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw refuse(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    )
  }
}

/** The object with its deletion mark: when it may go, and who must agree before. */
function mark({ clock }: ServerCore, type: ResourceType, object: ApiObject, options: DeleteOptions): ApiObject {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation, finalizers = [] } = object.metadata
  const all = finalizersFor(finalizers, options.propagation)
  const grace = isKind(type, 'Pod') ? graceOf(object, options.gracePeriodSeconds) : 0
  const isFirst = deletionTimestamp === undefined
  const isSooner = isFirst || grace < deletionGracePeriodSeconds
  return withMeta(object, {
    finalizers: all.length === 0 ? undefined : all,
    ...(isSooner && { deletionTimestamp: printTime(clock.now() + grace * 1000), deletionGracePeriodSeconds: grace }),
    ...(isFirst && generation !== undefined && { generation: generation + 1 }),
  })
}

/** How dependants are treated is written into the object, for the garbage collector. */
function finalizersFor(finalizers: readonly string[], propagation: DeleteOptions['propagation']): readonly string[] {
  if (propagation === undefined) return finalizers
  const others = finalizers.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion')
  if (propagation === 'Orphan') return [...others, 'orphan']
  return propagation === 'Foreground' ? [...others, 'foregroundDeletion'] : others
}

/** A CRD goes when all its objects are gone. */
function deleteDefinition(
  { store, clock }: ServerCore,
  type: ResourceType,
  object: ApiObject,
  { isDryRun }: DeleteOptions,
): Deletion {
  if (object.metadata.deletionTimestamp !== undefined) return { object, isGone: false }
  const finalizers = [...new Set([...(object.metadata.finalizers ?? []), CLEANUP])]
  const marked = withMeta(object, { deletionTimestamp: printTime(clock.now()), finalizers })
  return { object: isDryRun ? marked : store.put(storageOf(type), marked), isGone: false }
}

/** A namespace goes when it is empty and its finalizer is taken away. */
function deleteNamespace(
  core: ServerCore,
  type: ResourceType,
  object: ApiObject,
  { isDryRun }: DeleteOptions,
): Deletion {
  const { name, deletionTimestamp } = object.metadata
  if (undeletable.has(name)) throw forbidden(type, name, 'this namespace may not be deleted')
  if (deletionTimestamp !== undefined) return { object, isGone: endIfReady(core, type, object) }
  const marked = {
    ...withMeta(object, { deletionTimestamp: printTime(core.clock.now()) }),
    status: { phase: 'Terminating' },
  }
  return { object: isDryRun ? marked : core.store.put(storageOf(type), marked), isGone: false }
}
