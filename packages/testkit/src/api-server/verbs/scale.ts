import { isJsonObject, type JsonObject, type JsonValue } from '@slurm-operator/kube'
import type { ServerCore } from '../core.ts'
import { textOf, keyTextOf, mapAt, setIn, type ApiObject, type DraftObject } from '../objects/api-object.ts'
import { badRequest, notFound } from '../objects/failure.ts'
import { below, parseFieldSet } from '../ownership/field-set.ts'
import { ownAfterUpdate } from '../ownership/update-ownership.ts'
import { documentReply, type Call, type Reply } from '../requests/call.ts'
import { parse } from '../requests/read-body.ts'
import { readWriteOptions } from '../requests/read-options.ts'
import { storageOf, type ResourceType, type ScalePaths } from '../resources/resource-type.ts'
import { updateObject } from '../writing/update-object.ts'
import { writingOf } from './create.ts'
import { readPatch } from './patch.ts'

const workloadPaths: ScalePaths = { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'] }

/** GET, PUT and PATCH of `scale`: how many, for kinds that have replicas. */
export async function scale(core: ServerCore, call: Call): Promise<Reply> {
  const { type, namespace, name = '', method } = call
  const paths = type.custom?.scale ?? workloadPaths
  if (method === 'GET') {
    const object = core.store.get(storageOf(type), keyTextOf({ namespace, name }))
    if (object === undefined) throw notFound(type, name)
    return documentReply(scaleOf(object, paths, type))
  }
  const options = readWriteOptions(call)
  const writing = writingOf(core, call, options)
  const object = await updateObject(core, call, options, {
    make: (old) => {
      const wanted = wantedScale(scaleOf(old, paths, type), call)
      return { draft: setIn(old, paths.specReplicas, mapAt(wanted, 'spec')['replicas'] ?? 0) as DraftObject }
    },
    // Who scales owns the number only if somebody owned it before: the scale of an object knows no other owners.
    own: (old, fitted) =>
      isOwned(old, paths.specReplicas)
        ? ownAfterUpdate(old, fitted as unknown as ApiObject, writing)
        : (old.metadata.managedFields ?? []),
  })
  return documentReply(scaleOf(object, paths, type))
}

function isOwned({ metadata }: ApiObject, path: readonly string[]): boolean {
  const wanted = path.map((name) => `f:${name}`).reduce(below, '')
  return (metadata.managedFields ?? []).some(({ fieldsV1 }) => parseFieldSet(fieldsV1).has(wanted))
}

function scaleOf(object: ApiObject, paths: ScalePaths, type: ResourceType): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const selector = paths.selector === undefined ? workloadSelector(object, type) : at(object, paths.selector)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: { replicas: at(object, paths.specReplicas) ?? 0 },
    status: { replicas: at(object, paths.statusReplicas) ?? 0, ...(selector !== undefined && { selector }) },
  }
}

function workloadSelector(object: ApiObject, { custom }: ResourceType): string | undefined {
  if (custom !== undefined) return undefined
  const labels = Object.entries(mapAt(object, 'spec', 'selector', 'matchLabels'))
  return labels.map(([key, value]) => `${key}=${textOf(value)}`).join(',')
}

function wantedScale(present: JsonObject, call: Call): JsonValue {
  if (call.method === 'PUT')
    return parse(call.body ?? '', (why) => `the object provided is unrecognized (must be of type Scale): ${why}`)
  const change = readPatch(call)
  if (change === 'apply') throw badRequest('apply on scale is not possible here')
  return change(present)
}

function at(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, key) => (isJsonObject(value) ? value[key] : undefined), object)
}
