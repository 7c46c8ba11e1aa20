import { type FieldTerm, matchesFields, matchesLabels, parseFieldSelector, parseSelector } from '@slurm-operator/kube'
import type { ApiObject } from '../objects/api-object.ts'
import { badRequest } from '../objects/failure.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import type { Call } from './call.ts'

const podFields = [
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'spec.hostNetwork',
  'status.phase',
  'status.podIP',
  'status.nominatedNodeName',
]
const eventFields = [
  'involvedObject.kind',
  'involvedObject.namespace',
  'involvedObject.name',
  'involvedObject.uid',
  'reason',
  'type',
  'reportingController',
]

/** The fields that a resource can be selected by, besides name and namespace. */
const fieldsByKind: Readonly<Record<string, readonly string[]>> = {
  Pod: podFields,
  Event: eventFields,
  Secret: ['type'],
  Node: ['spec.unschedulable'],
  Namespace: ['status.phase'],
  ReplicaSet: ['status.replicas'],
  Job: ['status.successful'],
}

/** Which objects a list or watch is about. */
export function selectionOf({ type, namespace, name, query }: Call): (object: ApiObject) => boolean {
  const labels = understood(() => parseSelector(query.get('labelSelector') ?? ''))
  const fields = understood(() => parseFieldSelector(query.get('fieldSelector') ?? ''))
  checkFields(fields, type)
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    (name === undefined || object.metadata.name === name) &&
    matchesLabels(labels, object.metadata.labels) &&
    matchesFields(fields, object)
}

/** Whether anything is selected at all, besides the namespace. */
export function isSelective({ query }: Call): boolean {
  return (query.get('labelSelector') ?? '') !== '' || (query.get('fieldSelector') ?? '') !== ''
}

function checkFields(fields: readonly FieldTerm[], { kind, custom }: ResourceType): void {
  const known = ['metadata.name', 'metadata.namespace', ...(custom === undefined ? (fieldsByKind[kind] ?? []) : [])]
  const stranger = fields.find(({ field }) => !known.includes(field))
  if (stranger === undefined) return
  const list = known
    .slice(0, 2)
    .map((field) => `"${field}"`)
    .join(', ')
  throw badRequest(
    known.length > 2
      ? `field label not supported: ${stranger.field}`
      : `"${stranger.field}" is not a known field selector: only ${list}`,
  )
}

function understood<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw badRequest(`unable to parse requirement: ${error instanceof Error ? error.message : 'unreadable'}`)
  }
}
