import type { JsonObject, JsonValue } from '@slurm-operator/kube'
import { rulesOf } from '../kinds/kind-rules.ts'
import { withMeta, type ApiObject, type DraftObject } from '../objects/api-object.ts'
import type { Call } from '../requests/call.ts'
import { hasStatus } from '../resources/resource-type.ts'

const system = [
  'name',
  'namespace',
  'uid',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generateName',
  'selfLink',
] as const

/** Kinds whose labels and annotations can be changed together with their status. */
const metadataThroughStatus: ReadonlySet<string> = new Set(['Pod', 'Node'])

/** What a write through one door cannot change is as it was: system fields always, status or everything else by door. */
export function keepFixedFields(draft: DraftObject, old: ApiObject, { type, subresource }: Call): ApiObject {
  const before: JsonObject = old.metadata
  const fixed = Object.fromEntries(system.map((name): [string, JsonValue | undefined] => [name, before[name]]))
  const metadata = withMeta(draft, fixed).metadata
  if (subresource === 'status') {
    const kept =
      type.custom === undefined && metadataThroughStatus.has(type.kind)
        ? { ...metadata, ownerReferences: old.metadata.ownerReferences }
        : old.metadata
    const changed: ApiObject = { ...old, status: draft['status'] }
    return withMeta(changed, {
      ...kept,
      managedFields: metadata['managedFields'],
    })
  }
  const { status: _status, ...rest } = draft
  const status = hasStatus(type) ? old['status'] : draft['status']
  const next = { ...rest, ...(status !== undefined && { status }), metadata }
  return (rulesOf(type).keep?.(next, old) ?? next) as ApiObject
}
