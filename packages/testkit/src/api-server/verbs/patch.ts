import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMerge,
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonPatch,
  type JsonValue,
  mergeSchema,
  schemaNames,
} from '@slurm-operator/kube'
import type { ServerCore } from '../core.ts'
import type { ApiObject, DraftObject } from '../objects/api-object.ts'
import { ApiFailure, badRequest } from '../objects/failure.ts'
import { ownAfterUpdate } from '../ownership/update-ownership.ts'
import { documentReply, type Call, type Reply } from '../requests/call.ts'
import { parse, unsupportedMediaType, withType } from '../requests/read-body.ts'
import { readWriteOptions } from '../requests/read-options.ts'
import { shapeFor } from '../requests/shape.ts'
import { apiVersionOf, type ResourceType } from '../resources/resource-type.ts'
import { updateObject } from '../writing/update-object.ts'
import { apply } from './apply.ts'
import { writingOf } from './create.ts'
import { checkAddress } from './update.ts'

/** Turns one state into the next. */
export type PatchFunction = (old: JsonObject) => JsonValue

/** PATCH of an object, or of its status, in any of the four forms. */
export async function patch(core: ServerCore, call: Call): Promise<Reply> {
  const change = readPatch(call)
  const options = readWriteOptions(call)
  if (change === 'apply') return apply(core, call, options)
  const shape = shapeFor(call.accept, call.type)
  const writing = writingOf(core, call, options)
  const object = await updateObject(core, call, options, {
    make: (old) => {
      const draft = patched(old, change, call)
      checkAddress(draft, call)
      return { draft }
    },
    own: (old, fitted) => ownAfterUpdate(old, fitted as unknown as ApiObject, writing),
  })
  return documentReply(shape.one(object))
}

function patched(old: ApiObject, change: PatchFunction, { type }: Call): DraftObject {
  const shown = { ...old, apiVersion: apiVersionOf(type) }
  const result = refusing(() => change(shown))
  if (!isJsonObject(result)) throw badRequest('the patch leaves no object')
  return withType(result, type)
}

/** A patch that cannot be carried out is the fault of whoever sent it. */
function refusing(change: () => JsonValue): JsonValue {
  try {
    return change()
  } catch (error) {
    if (error instanceof ApiFailure) throw error
    throw new ApiFailure(422, 'Invalid', 'the server rejected our request due to an error in our request', {
      details: {},
    })
  }
}

const formats = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml']

/** What the body of a patch asks for. */
export function readPatch({
  type,
  body = '',
  contentType,
}: Pick<Call, 'type' | 'body' | 'contentType'>): PatchFunction | 'apply' {
  const document = () => parse(body, (why) => `error decoding patch: ${why}`)
  switch (contentType.split(';')[0]) {
    case 'application/json-patch+json':
      return jsonPatch(document())
    case 'application/merge-patch+json':
      return mergePatch(document())
    case 'application/strategic-merge-patch+json':
      return strategicPatch(document(), type)
    case 'application/apply-patch+yaml':
      return 'apply'
    default:
      throw new ApiFailure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', { details: {} })
  }
}

function jsonPatch(operations: JsonValue): PatchFunction {
  if (!isJsonList(operations))
    throw badRequest('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp')
  const isKnown = operations.every((operation) => isJsonObject(operation) && operationNames.has(operation['op']))
  return (old) => {
    if (!isKnown) throw new TypeError('there is an operation that JSON patch does not have')
    return applyJsonPatch(old, operations as unknown as JsonPatch)
  }
}

const operationNames: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test'])

function mergePatch(change: JsonValue): PatchFunction {
  return (old) => applyMergePatch(old, change)
}

function strategicPatch(change: JsonValue, type: ResourceType): PatchFunction {
  if (type.custom !== undefined) throw unsupportedMediaType(formats)
  if (!isJsonObject(change)) throw badRequest('error decoding patch: it must be a map')
  const name = schemaNames[`${apiVersionOf(type)} ${type.kind}`] ?? ''
  return (old) => applyStrategicMerge(old, change, mergeSchema, name)
}
