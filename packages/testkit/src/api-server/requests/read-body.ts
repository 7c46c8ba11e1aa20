import { isJsonObject, type JsonObject, type JsonValue } from '@slurm-operator/kube'
import { type DraftObject, textOf } from '../objects/api-object.ts'
import { ApiFailure, badRequest } from '../objects/failure.ts'
import { apiVersionOf, type ResourceType } from '../resources/resource-type.ts'
import type { Call } from './call.ts'

const readable = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']

/** 415 with the types that would do. */
export function unsupportedMediaType(accepted: readonly string[]): ApiFailure {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`
  return new ApiFailure(415, 'UnsupportedMediaType', message)
}

/** The object in the body of a create or an update. */
export function readObject({ type, body = '', contentType }: Call): DraftObject {
  if (contentType !== '' && !contentType.startsWith('application/json')) throw unsupportedMediaType(readable)
  const parsed = parse(
    body,
    (why) =>
      `the object provided is unrecognized (must be of type ${type.kind}): couldn't get version/kind; json parse error: ${why} (${body === '' ? '<empty>' : body.slice(0, 40)})`,
  )
  if (!isJsonObject(parsed)) throw badRequest(`the object provided is unrecognized (must be of type ${type.kind})`)
  return withType(parsed, type)
}

/** What was sent, as an object of the kind: kind and version may be left out, but not be others. */
export function withType(object: JsonObject, type: ResourceType): DraftObject {
  const { kind = type.kind, apiVersion = apiVersionOf(type), metadata } = object
  if (kind !== type.kind || apiVersion !== apiVersionOf(type)) {
    throw badRequest(
      `${textOf(kind)} in version "${textOf(apiVersion)}" cannot be handled as a ${type.kind}: no kind "${textOf(kind)}" is registered for version "${textOf(apiVersion)}"`,
    )
  }
  return { ...object, apiVersion, kind, metadata: isJsonObject(metadata) ? metadata : {} }
}

/** The document in a body. */
export function parse(body: string, explain: (why: string) => string): JsonValue {
  try {
    return JSON.parse(body) as JsonValue
  } catch (error) {
    throw badRequest(explain(error instanceof Error ? error.message : 'unreadable'))
  }
}
