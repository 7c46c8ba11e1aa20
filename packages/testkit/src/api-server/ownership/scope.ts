import { type JsonObject, withoutKeys } from '@slurm-operator/kube'
import { mapAt } from '../objects/api-object.ts'
import { below, isWithin, type FieldPath, type FieldSet } from './field-set.ts'

const identity = ['name', 'namespace']
const filledIn = [
  ...['creationTimestamp', 'selfLink', 'uid', 'generation', 'managedFields', 'resourceVersion'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds'],
]

const system: ReadonlySet<FieldPath> = new Set([
  ...['f:apiVersion', 'f:kind', 'f:metadata'],
  ...[...identity, ...filledIn].map((name) => below('f:metadata', `f:${name}`)),
])

/**
 * The fields that a write through one door can own. Nobody owns what the server fills in; the main door does not reach
 * the status of a kind that has one, the status door reaches nothing else.
 */
export function withinReach(fields: FieldSet, subresource: string | undefined, hasStatus: boolean): FieldSet {
  const mayOwn = (path: FieldPath) => {
    if (system.has(path) || isWithin(path, below('f:metadata', 'f:managedFields'))) return false
    if (subresource === 'status') return isWithin(path, 'f:status')
    return !hasStatus || !isWithin(path, 'f:status')
  }
  return new Set([...fields].filter(mayOwn))
}

/** The part of a configuration that a write through one door can reach, with what says which object is meant. */
export function partWithinReach(wanted: JsonObject, subresource: string | undefined, hasStatus: boolean): JsonObject {
  const metadata = mapAt(wanted, 'metadata')
  if (subresource !== 'status') {
    return { ...withoutKeys(wanted, hasStatus ? ['status'] : []), metadata: withoutKeys(metadata, filledIn) }
  }
  const { apiVersion, kind, status } = wanted
  const { name, namespace } = metadata
  const address = { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) }
  return { apiVersion, kind, metadata: address, ...(status !== undefined && { status }) }
}
