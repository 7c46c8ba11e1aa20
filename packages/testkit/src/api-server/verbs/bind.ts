import { isJsonList, isJsonObject, type JsonObject, type JsonValue, printTime } from '@slurm-operator/kube'
import type { ServerCore } from '../core.ts'
import { textOf, keyTextOf, mapAt, withMeta, type ApiObject } from '../objects/api-object.ts'
import { causes, conflict, invalid, notFound } from '../objects/failure.ts'
import { successReply, type Call, type Reply } from '../requests/call.ts'
import { parse } from '../requests/read-body.ts'
import { readWriteOptions } from '../requests/read-options.ts'
import { storageOf } from '../resources/resource-type.ts'

/** POST to `binding` of a pod: it gets a node, for good. */
export async function bind(core: ServerCore, call: Call): Promise<Reply> {
  const { type, namespace, name = '', subresource, warn } = call
  const { isDryRun } = readWriteOptions(call)
  const sent = parse(call.body ?? '', (why) => `the object provided is unrecognized (must be of type Binding): ${why}`)
  const draft = { ...(isJsonObject(sent) ? sent : {}), metadata: mapAt(sent, 'metadata') }
  const question = {
    type,
    operation: 'CREATE',
    subresource,
    name,
    namespace,
    object: draft,
    old: undefined,
    isDryRun,
    warn,
  } as const
  const binding = (await core.admission.mutate(question)) ?? draft
  await core.admission.validate({ ...question, object: binding })
  const pod = core.store.get(storageOf(type), keyTextOf({ namespace, name }))
  if (pod === undefined) throw notFound(type, name)
  const bound = assign(pod, binding, core, call)
  if (!isDryRun) core.store.put(storageOf(type), bound)
  return successReply(undefined, 201)
}

function assign(pod: ApiObject, binding: JsonObject, { clock }: ServerCore, { type, name = '' }: Call): ApiObject {
  const node = mapAt(binding, 'target')['name']
  const spec = mapAt(pod, 'spec')
  const place = { group: type.group, plural: `${type.plural}/binding`, kind: type.kind }
  if (typeof node !== 'string' || node === '')
    throw invalid({ group: '', kind: 'Binding' }, name, [causes.required('target.name')])
  if (pod.metadata.deletionTimestamp !== undefined)
    throw conflict(place, name, `pod ${name} is being deleted, cannot be assigned to a host`)
  if ((spec['nodeName'] ?? '') !== '')
    throw conflict(place, name, `pod ${name} is already assigned to node "${textOf(spec['nodeName'])}"`)
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: printTime(clock.now()),
  }
  const status = mapAt(pod, 'status')
  const annotations = { ...pod.metadata.annotations, ...mapAt(binding, 'metadata', 'annotations') }
  const placed = {
    ...pod,
    spec: { ...spec, nodeName: node },
    status: { ...status, conditions: [...othersIn(status['conditions']), scheduled] },
  }
  return withMeta(placed, { annotations: Object.keys(annotations).length > 0 ? annotations : undefined })
}

function othersIn(conditions: JsonValue | undefined): JsonValue[] {
  return isJsonList(conditions) ? conditions.filter((one) => !isJsonObject(one) || one['type'] !== 'PodScheduled') : []
}
