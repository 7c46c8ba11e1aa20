import type { JsonObject } from '@slurm-operator/kube'
import type { ApiObject } from '../objects/api-object.ts'
import { ApiFailure } from '../objects/failure.ts'
import { apiVersionOf, type ResourceType } from '../resources/resource-type.ts'

/** How objects look in an answer. */
export interface Shape {
  readonly one: (object: ApiObject) => JsonObject
  /** In lists the items of built-in kinds do not say what they are. */
  readonly item: (object: ApiObject) => JsonObject
  readonly listHead: { readonly kind: string; readonly apiVersion: string }
  readonly bookmark: (metadata: JsonObject) => JsonObject
}

const META = { apiVersion: 'meta.k8s.io/v1' } as const
const readable =
  'application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch'

/** The shape that a caller accepts; the first one that we have. */
export function shapeFor(accept: string, type: ResourceType): Shape {
  for (const wanted of accept === '' ? ['*/*'] : accept.split(',').map((one) => one.trim())) {
    if (/;\s*as=PartialObjectMetadata(List)?\b/.test(wanted)) return metadataShape
    if (/^(application\/json|application\/\*|\*\/\*)(;|$)/.test(wanted) && !wanted.includes('as='))
      return wholeShape(type)
  }
  throw new ApiFailure(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${readable}`, {
    details: {},
  })
}

/** Objects as they are, in the version that was asked for. */
function wholeShape(type: ResourceType): Shape {
  const head = { kind: type.kind, apiVersion: apiVersionOf(type) }
  const isCustom = type.custom !== undefined
  const one = (object: ApiObject): JsonObject => ({ ...object, ...head })
  return {
    one,
    item: isCustom ? one : ({ kind: _kind, apiVersion: _version, ...rest }) => rest,
    listHead: { kind: type.listKind, apiVersion: head.apiVersion },
    bookmark: (metadata) => ({ ...head, metadata }),
  }
}

const metadataShape: Shape = {
  one: ({ metadata }) => ({ kind: 'PartialObjectMetadata', ...META, metadata }),
  item: ({ metadata }) => ({ kind: 'PartialObjectMetadata', ...META, metadata }),
  listHead: { kind: 'PartialObjectMetadataList', ...META },
  bookmark: (metadata) => ({ kind: 'PartialObjectMetadata', ...META, metadata }),
}
