import { printTime } from '@slurm-operator/kube'
import type { ServerCore } from '../core.ts'
import type { ApiObject } from '../objects/api-object.ts'
import { ownAfterUpdate, type Writing } from '../ownership/update-ownership.ts'
import { documentReply, type Call, type Reply } from '../requests/call.ts'
import { readObject } from '../requests/read-body.ts'
import { readWriteOptions, type WriteOptions } from '../requests/read-options.ts'
import { shapeFor } from '../requests/shape.ts'
import { apiVersionOf, hasStatus } from '../resources/resource-type.ts'
import { createObject } from '../writing/create-object.ts'

/** POST to a collection. */
export async function create(core: ServerCore, call: Call): Promise<Reply> {
  const shape = shapeFor(call.accept, call.type)
  const options = readWriteOptions(call)
  const writing = writingOf(core, call, options)
  const object = await createObject(core, call, options, {
    draft: readObject(call),
    own: (fitted) => ownAfterUpdate(undefined, fitted as unknown as ApiObject, writing),
  })
  return documentReply(shape.one(object), 201)
}

/** Who writes, as ownership of fields sees it. */
export function writingOf({ clock }: ServerCore, { type, subresource }: Call, { manager }: WriteOptions): Writing {
  return {
    manager,
    apiVersion: apiVersionOf(type),
    subresource,
    hasStatus: hasStatus(type),
    time: printTime(clock.now()),
    topology: type.topology,
  }
}
