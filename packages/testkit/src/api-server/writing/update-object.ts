import { equalJson, type JsonObject, type JsonValue, withoutKeys } from '@slurm-operator/kube'
import type { ServerCore } from '../core.ts'
import {
  textOf,
  keyTextOf,
  withMeta,
  type ApiObject,
  type DraftObject,
  type ManagedFieldsEntry,
} from '../objects/api-object.ts'
import { ApiFailure, causes, conflict, invalid, modifiedMeanwhile, notFound } from '../objects/failure.ts'
import type { Call } from '../requests/call.ts'
import type { WriteOptions } from '../requests/read-options.ts'
import { hasStatus, storageOf, type ResourceType } from '../resources/resource-type.ts'
import { endIfReady } from './end-object.ts'
import { fitToType, refit, validateObject } from './fit-to-type.ts'
import { keepFixedFields } from './keep-fixed-fields.ts'

const MOST_TRIES = 5

/** An update, whatever verb asked for it. */
export interface Update {
  /** The state that is wanted, from the present one. */
  readonly make: (old: ApiObject) => {
    readonly draft: DraftObject
    readonly managedFields?: readonly ManagedFieldsEntry[]
  }
  /** Who owns the fields afterwards, unless `make` said so. */
  readonly own: (old: ApiObject, object: DraftObject) => readonly ManagedFieldsEntry[]
}

/** Store a new state of an object. Admission may take time: when somebody was faster meanwhile, all is done again. */
export async function updateObject(
  core: ServerCore,
  call: Call,
  options: WriteOptions,
  update: Update,
): Promise<ApiObject> {
  const { type, namespace, name = '' } = call
  const [storage, key] = [storageOf(type), keyTextOf({ namespace, name })]
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const old = core.store.get(storage, key)
    if (old === undefined) throw notFound(type, name)
    const next = await nextState(core, call, options, update, old)
    if (core.store.get(storage, key) !== old) continue
    return commit(core, type, options, old, next)
  }
  throw modifiedMeanwhile(type, name)
}

async function nextState(
  core: ServerCore,
  call: Call,
  options: WriteOptions,
  update: Update,
  old: ApiObject,
): Promise<ApiObject> {
  const { type, subresource, warn } = call
  const { draft, managedFields } = update.make(old)
  checkIdentity(draft, old, call)
  const fitted = fitToType(draft, type, options, warn)
  const owners = managedFields ?? update.own(old, fitted)
  const owned = withMeta(fitted, { managedFields: owners.length === 0 ? undefined : (owners as unknown as JsonValue) })
  const kept = keepFixedFields(owned, old, call)
  const question = {
    type,
    operation: 'UPDATE',
    subresource,
    name: old.metadata.name,
    namespace: old.metadata.namespace,
    old,
    isDryRun: options.isDryRun,
    warn,
  } as const
  const mutated = await core.admission.mutate({ ...question, object: kept })
  const next = mutated === undefined || mutated === kept ? kept : keepFixedFields(refit(mutated, type), old, call)
  validateObject(next, old, type)
  await core.admission.validate({ ...question, object: next })
  return withGeneration(next, old, type)
}

function checkIdentity({ metadata }: DraftObject, old: ApiObject, { type, method }: Call): void {
  const { name, uid } = old.metadata
  const { uid: wantedUid = uid, resourceVersion: version = '' } = metadata
  if (wantedUid !== uid && wantedUid !== '') {
    if (method === 'PATCH') throw invalid(type, name, [causes.invalid('metadata.uid', wantedUid, 'field is immutable')])
    throw conflict(
      type,
      name,
      `Precondition failed: UID in precondition: ${textOf(wantedUid)}, UID in object meta: ${uid}`,
    )
  }
  if (version === '') return
  if (typeof version !== 'string' || !/^\d+$/.test(version)) {
    throw new ApiFailure(500, undefined, `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`)
  }
  if (version !== old.metadata.resourceVersion) throw modifiedMeanwhile(type, name)
}

/** The generation counts changes of what is wanted: everything but metadata and status. */
function withGeneration(next: ApiObject, old: ApiObject, type: ResourceType): ApiObject {
  if (!type.hasGeneration) return next
  const ignored = [
    'metadata',
    'apiVersion',
    'kind',
    ...(type.custom === undefined || hasStatus(type) ? ['status'] : []),
  ]
  const wanted = (object: JsonObject) => withoutKeys(object, ignored)
  const generation = (old.metadata.generation ?? 1) + (equalJson(wanted(next), wanted(old)) ? 0 : 1)
  return withMeta(next, { generation })
}

function commit(
  core: ServerCore,
  type: ResourceType,
  { isDryRun }: WriteOptions,
  old: ApiObject,
  next: ApiObject,
): ApiObject {
  const stored = withMeta(next, { resourceVersion: old.metadata.resourceVersion })
  if (equalJson(stored, old)) return old
  if (isDryRun) return stored
  return endIfReady(core, type, stored) ? stored : core.store.put(storageOf(type), stored)
}
