import { type JsonValue, printTime, withoutKeys } from '@slurm-operator/kube'
import type { ServerCore } from '../core.ts'
import { rulesOf } from '../kinds/kind-rules.ts'
import {
  type ApiObject,
  type DraftObject,
  keyTextOf,
  type ManagedFieldsEntry,
  mapAt,
  textOf,
  withMeta,
} from '../objects/api-object.ts'
import { alreadyExists, ApiFailure, badRequest, forbidden, notFound } from '../objects/failure.ts'
import type { Call } from '../requests/call.ts'
import type { WriteOptions } from '../requests/read-options.ts'
import { hasStatus, storageOf } from '../resources/resource-type.ts'
import { fitToType, refit, validateObject } from './fit-to-type.ts'
import { generateName, generateUid } from './new-names.ts'

const NAME_TRIES = 8

/** A create, whatever verb asked for it. */
export interface Creation {
  readonly draft: DraftObject
  /** Who owns the fields of the object as it was sent, with defaults. */
  readonly own: (object: DraftObject) => readonly ManagedFieldsEntry[]
}

/** Store a new object. */
export async function createObject(
  core: ServerCore,
  call: Call,
  options: WriteOptions,
  { draft, own }: Creation,
): Promise<ApiObject> {
  const { type, namespace, warn } = call
  checkPlace(draft, call)
  const named = giveName(withMeta(draft, { namespace: type.namespaced ? namespace : undefined }), core, call)
  const fitted = fitToType(named, type, options, warn)
  const owned = withMeta(fitted, { managedFields: own(fitted) })
  checkNamespace(core, call, textOf(named.metadata['name']))
  const begun = type.custom === undefined ? (rulesOf(type).begin?.(owned, core.random) ?? owned) : owned
  const admitted = await admit(core, call, options, begun)
  const complete = withSystemFields(
    hasStatus(type) && type.custom !== undefined ? withoutStatus(admitted) : admitted,
    core,
    call,
  )
  validateObject(complete, undefined, type)
  await core.admission.validate(question(call, options, complete))
  const storage = storageOf(type)
  if (core.store.get(storage, keyTextOf(complete.metadata)) !== undefined)
    throw alreadyExists(type, complete.metadata.name)
  return options.isDryRun ? withMeta(complete, { resourceVersion: undefined }) : core.store.put(storage, complete)
}

function checkPlace(draft: DraftObject, { namespace }: Call): void {
  const own = draft.metadata['namespace']
  if (own !== undefined && own !== '' && own !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  if ((draft.metadata['resourceVersion'] ?? '') !== '') {
    throw new ApiFailure(500, undefined, 'resourceVersion should not be set on objects to be created')
  }
}

function giveName(draft: DraftObject, core: ServerCore, { type, namespace }: Call): DraftObject {
  const { name, generateName: beginning } = draft.metadata
  if ((name ?? '') !== '' || typeof beginning !== 'string' || beginning === '') return draft
  const isFree = (one: string) => core.store.get(storageOf(type), keyTextOf({ namespace, name: one })) === undefined
  for (let tries = 1; ; tries++) {
    const made = generateName(beginning, core.random)
    if (isFree(made) || tries === NAME_TRIES) return withMeta(draft, { name: made })
  }
}

function checkNamespace({ store }: ServerCore, { type, namespace }: Call, name: string): void {
  if (!type.namespaced || namespace === undefined) return
  const found = store.get('/namespaces', keyTextOf({ name: namespace }))
  if (found === undefined) throw notFound({ group: '', plural: 'namespaces', kind: 'Namespace' }, namespace)
  if (mapAt(found, 'status')['phase'] !== 'Terminating') return
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  }
  throw forbidden(type, name, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    cause,
  ])
}

async function admit(core: ServerCore, call: Call, options: WriteOptions, object: DraftObject): Promise<DraftObject> {
  const changed = await core.admission.mutate(question(call, options, object))
  return changed === undefined || changed === object ? object : refit(changed, call.type)
}

function question({ type, namespace, subresource, warn }: Call, { isDryRun }: WriteOptions, object: DraftObject) {
  const name = textOf(object.metadata['name'])
  return { type, operation: 'CREATE', subresource, name, namespace, object, old: undefined, isDryRun, warn } as const
}

function withoutStatus(object: DraftObject): DraftObject {
  return withoutKeys(object, ['status']) as DraftObject
}

function withSystemFields(draft: DraftObject, { clock, random }: ServerCore, { type }: Call): ApiObject {
  return withMeta(draft, {
    uid: generateUid(random),
    creationTimestamp: printTime(clock.now()),
    generation: type.hasGeneration ? 1 : undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
    managedFields: emptyAsNone(draft.metadata['managedFields']),
  }) as ApiObject
}

function emptyAsNone(entries: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(entries) && entries.length === 0 ? undefined : entries
}
