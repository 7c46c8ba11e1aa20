import { isJsonObject } from '@slurm-operator/kube'
import type { ServerCore } from '../core.ts'
import {
  keyTextOf,
  mapAt,
  textOf,
  type ApiObject,
  type DraftObject,
  type ManagedFieldsEntry,
} from '../objects/api-object.ts'
import { ApiFailure, badRequest, causes, conflict, invalid, modifiedMeanwhile } from '../objects/failure.ts'
import { applyConfiguration, type Applied, type OwnershipConflict } from '../ownership/apply-configuration.ts'
import { ownAfterUpdate, type Writing } from '../ownership/update-ownership.ts'
import { printFieldPath } from '../ownership/field-set.ts'
import type { Manager } from '../ownership/managers.ts'
import { documentReply, type Call, type Reply } from '../requests/call.ts'
import { parse, withType } from '../requests/read-body.ts'
import type { WriteOptions } from '../requests/read-options.ts'
import { shapeFor } from '../requests/shape.ts'
import { apiVersionOf, storageOf, type ResourceType } from '../resources/resource-type.ts'
import { whyNotTyped } from '../schema/why-not-typed.ts'
import { createObject } from '../writing/create-object.ts'
import { updateObject } from '../writing/update-object.ts'
import { writingOf } from './create.ts'
import { checkAddress } from './update.ts'

/** Server-side apply: the object is created if it is not there. */
export async function apply(core: ServerCore, call: Call, options: WriteOptions): Promise<Reply> {
  const shape = shapeFor(call.accept, call.type)
  const wanted = readConfiguration(call)
  const writing = writingOf(core, call, options)
  const { type, namespace, name = '', subresource } = call
  const isThere = core.store.get(storageOf(type), keyTextOf({ namespace, name })) !== undefined
  if (!isThere && subresource === undefined) {
    checkTyped(wanted, type)
    checkNew(wanted, call)
    const { object, managedFields } = applyConfiguration(undefined, wanted, undefined, writing)
    const { resourceVersion: _version, uid: _uid, ...metadata } = mapAt(object, 'metadata')
    const draft = { ...object, metadata: { ...metadata, name } }
    return documentReply(shape.one(await createObject(core, call, options, { draft, own: () => managedFields })), 201)
  }
  const object = await updateObject(core, call, options, {
    make: (old) => {
      checkTyped(wanted, type)
      const applied = applyConfiguration(
        { ...old, apiVersion: apiVersionOf(type) },
        wanted,
        ownersBefore(old, writing),
        writing,
      )
      if (applied.conflicts.length > 0 && !options.isForced) throw conflictFailure(applied.conflicts)
      checkVersion(wanted, old, call)
      return { draft: draftFrom(applied, call), managedFields: applied.managedFields }
    },
    own: () => [],
  })
  return documentReply(shape.one(object))
}

/** Whatever was there before anybody owned anything belongs to a manager that stands for all of that. */
function ownersBefore(old: ApiObject, writing: Writing): readonly ManagedFieldsEntry[] {
  const present = old.metadata.managedFields ?? []
  return present.length > 0 ? present : ownAfterUpdate(undefined, old, { ...writing, manager: 'before-first-apply' })
}

function readConfiguration({ body = '', type }: Call): DraftObject {
  const wanted = parse(body, (why) => `error decoding YAML: ${why}`)
  if (!isJsonObject(wanted)) throw badRequest('error decoding YAML: it must be a map')
  const { kind, apiVersion } = wanted
  if (kind === undefined || apiVersion === undefined) throw badRequest('invalid object type: /, Kind=')
  if (mapAt(wanted, 'metadata')['managedFields'] !== undefined) throw badRequest('metadata.managedFields must be nil')
  return withType(wanted, type)
}

function checkTyped(wanted: DraftObject, type: ResourceType): void {
  const schema = type.custom?.schema
  const problems = schema === undefined ? [] : whyNotTyped(wanted, schema)
  if (problems.length === 0) return
  const { namespace, name } = wanted.metadata
  const what = `${textOf(namespace)}/${textOf(name)}; ${apiVersionOf(type)}, Kind=${type.kind}`
  const list = problems.length === 1 ? problems[0] : ['errors:', ...problems].join('\n  ')
  throw new ApiFailure(500, undefined, `failed to create typed patch object (${what}): ${list}`)
}

/** Whoever names a uid means an object that exists. */
function checkNew(wanted: DraftObject, { type, name = '' }: Call): void {
  const uid = textOf(mapAt(wanted, 'metadata')['uid'])
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
  if (uid !== '') throw conflict(type, name, why)
}

function checkVersion(wanted: DraftObject, old: ApiObject, { type }: Call): void {
  const { resourceVersion: version = '', uid = old.metadata.uid } = mapAt(wanted, 'metadata')
  if (uid !== old.metadata.uid)
    throw invalid(type, old.metadata.name, [causes.invalid('metadata.uid', uid, 'field is immutable')])
  if (version !== '' && version !== old.metadata.resourceVersion) throw modifiedMeanwhile(type, old.metadata.name)
}

function draftFrom({ object }: Applied, call: Call): DraftObject {
  const draft = withType(object, call.type)
  checkAddress(draft, call)
  return draft
}

function conflictFailure(conflicts: readonly OwnershipConflict[]): ApiFailure {
  const byManager = [...Map.groupBy(conflicts, ({ manager }) => describeManager(manager))]
  const count = conflicts.length === 1 ? '1 conflict' : `${conflicts.length} conflicts`
  const texts = byManager.map(([manager, fields]) =>
    describeConflicts(
      manager,
      fields.map(({ field }) => printFieldPath(field)),
    ),
  )
  const details = byManager.flatMap(([manager, fields]) =>
    fields.map(({ field }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${manager}`,
      field: printFieldPath(field),
    })),
  )
  return new ApiFailure(409, 'Conflict', `Apply failed with ${count}: ${texts.join('\n')}`, {
    details: { causes: details },
  })
}

function describeConflicts(manager: string, fields: readonly string[]): string {
  const [only = '', ...more] = fields
  return more.length === 0
    ? `conflict with ${manager}: ${only}`
    : [`conflicts with ${manager}:`, ...fields.map((field) => `- ${field}`)].join('\n')
}

function describeManager({ name, operation, apiVersion, subresource }: Manager): string {
  const door = subresource === undefined ? '' : ` with subresource "${subresource}"`
  return `"${name}"${door}${operation === 'Update' ? ` using ${apiVersion}` : ''}`
}
