import type { ServerCore } from '../core.ts'
import { keyTextOf, mapAt, setIn, type ApiObject } from '../objects/api-object.ts'
import { notFound } from '../objects/failure.ts'
import { documentReply, type Call, type Reply } from '../requests/call.ts'
import { readObject } from '../requests/read-body.ts'
import { storageOf } from '../resources/resource-type.ts'
import { endIfReady } from '../writing/end-object.ts'

/** PUT to `finalize` of a namespace: whoever emptied it takes its finalizer away. */
export function finalize(core: ServerCore, call: Call): Reply {
  const { type, name = '' } = call
  const old = core.store.get(storageOf(type), keyTextOf({ name }))
  if (old === undefined) throw notFound(type, name)
  const { finalizers } = mapAt(readObject(call), 'spec')
  const left = Array.isArray(finalizers) && finalizers.length > 0 ? finalizers : undefined
  const next = setIn(old, ['spec', 'finalizers'], left) as ApiObject
  return documentReply(endIfReady(core, type, next) ? next : core.store.put(storageOf(type), next))
}
