import type { ServerCore } from '../core.ts'
import { keyTextOf } from '../objects/api-object.ts'
import { notFound } from '../objects/failure.ts'
import { documentReply, type Call, type Reply } from '../requests/call.ts'
import { shapeFor } from '../requests/shape.ts'
import { storageOf } from '../resources/resource-type.ts'
import { checkNotInFuture, readVersion } from './read-versions.ts'

/** GET of one object, or of its status. Without a resourceVersion the newest state is meant. */
export function get(core: ServerCore, call: Call): Reply {
  const { type, namespace, name = '', query, view } = call
  const shape = shapeFor(call.accept, type)
  const version = readVersion(query.get('resourceVersion'))
  checkNotInFuture(version, core)
  const key = keyTextOf({ namespace, name })
  const storage = storageOf(type)
  const isCachedEnough = version !== undefined && version <= view.version && view.isFrozen
  const object = isCachedEnough
    ? core.store.listAt(storage, view.version).find(({ metadata }) => keyTextOf(metadata) === key)
    : core.store.get(storage, key)
  if (object === undefined) throw notFound(type, name)
  return documentReply(shape.one(object))
}
