import type { ServerCore } from '../core.ts'
import { keyTextOf, type ApiObject } from '../objects/api-object.ts'
import { notFound } from '../objects/failure.ts'
import { documentReply, successReply, type Call, type Reply } from '../requests/call.ts'
import { readDeleteOptions, type DeleteOptions } from '../requests/read-delete-options.ts'
import { selectionOf } from '../requests/select.ts'
import { shapeFor } from '../requests/shape.ts'
import { storageOf } from '../resources/resource-type.ts'
import { deleteObject, type Deletion } from '../writing/delete-object.ts'

/** DELETE of one object. */
export async function deleteOne(core: ServerCore, call: Call): Promise<Reply> {
  const { type, namespace, name = '' } = call
  const options = readDeleteOptions(call)
  const object = core.store.get(storageOf(type), keyTextOf({ namespace, name }))
  if (object === undefined) throw notFound(type, name)
  const { object: left, isGone } = await admitAndDelete(core, call, object, options)
  const isTold = !isGone || (type.kind === 'Pod' && type.custom === undefined)
  if (isTold) return documentReply(shapeFor(call.accept, type).one(left))
  const { group, plural } = type
  return successReply({ name, ...(group !== '' && { group }), kind: plural, uid: left.metadata.uid })
}

/** DELETE of all objects that a selector chooses. */
export async function deleteMany(core: ServerCore, call: Call): Promise<Reply> {
  const options = readDeleteOptions(call)
  const isChosen = selectionOf(call)
  const shape = shapeFor(call.accept, call.type)
  const resourceVersion = String(core.store.version)
  const chosen = core.store.list(storageOf(call.type)).filter(isChosen)
  for (const object of chosen) await admitAndDelete(core, call, object, options)
  return documentReply({ ...shape.listHead, metadata: { resourceVersion }, items: chosen.map(shape.item) })
}

async function admitAndDelete(
  core: ServerCore,
  call: Call,
  object: ApiObject,
  options: DeleteOptions,
): Promise<Deletion> {
  const { name, namespace } = object.metadata
  const { type, subresource, warn } = call
  const question = {
    type,
    operation: 'DELETE',
    subresource,
    name,
    namespace,
    object: undefined,
    old: object,
    isDryRun: options.isDryRun,
    warn,
  } as const
  await core.admission.mutate(question)
  await core.admission.validate(question)
  const present = core.store.get(storageOf(type), keyTextOf(object.metadata))
  if (present === undefined) return { object, isGone: true } // somebody else was faster
  return deleteObject(core, type, present, options)
}
