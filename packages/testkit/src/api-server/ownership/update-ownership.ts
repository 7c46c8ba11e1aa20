import type { ApiObject, ManagedFieldsEntry } from '../objects/api-object.ts'
import { compareFields } from './compare.ts'
import { noFields, type FieldSet } from './field-set.ts'
import { idOf, printManagers, readManagers, type Manager } from './managers.ts'
import { withinReach } from './scope.ts'
import type { Topology } from './topology.ts'

/** Who writes, and through which door. */
export interface Writing {
  readonly manager: string
  readonly apiVersion: string
  readonly subresource: string | undefined
  readonly hasStatus: boolean
  readonly time: string
  readonly topology: Topology
}

/**
 * After an update: the writer owns what it changed, nobody else does, and what is gone nobody owns. An object that has no
 * owners stays without them until somebody applies. Who sends other owners along has his way first.
 */
export function ownAfterUpdate(
  before: ApiObject | undefined,
  after: ApiObject,
  writing: Writing,
): readonly ManagedFieldsEntry[] {
  const managers = readManagers(before && (ownersSent(after, writing) ?? before.metadata.managedFields))
  if (before !== undefined && managers.size === 0) return []
  const compared = compareFields(before ?? {}, after, writing.topology)
  const reach = (fields: FieldSet) => withinReach(fields, writing.subresource, writing.hasStatus)
  const [changed, removed] = [reach(compared.set), reach(compared.removed)]
  const who = {
    name: writing.manager,
    operation: 'Update',
    apiVersion: writing.apiVersion,
    subresource: writing.subresource,
  } as const
  const id = idOf(who)
  const own = managers.get(id)?.fields ?? noFields
  const others = [...managers]
    .filter(([other]) => other !== id)
    .map(([, manager]) => without(manager, changed.union(removed)))
  const fields = own.union(changed).difference(removed)
  const mine: Manager = { ...who, time: timeOf(managers.get(id), fields, writing.time), fields }
  return printManagers([...others, mine])
}

/** An empty list says nothing, and through the door of a subresource nobody changes owners. */
function ownersSent({ metadata }: ApiObject, { subresource }: Writing): readonly ManagedFieldsEntry[] | undefined {
  const { managedFields = [] } = metadata
  return managedFields.length === 0 || subresource !== undefined ? undefined : managedFields
}

/** What is left of a manager when others have changed fields. */
export function without(manager: Manager, fields: FieldSet): Manager {
  return manager.fields.isDisjointFrom(fields) ? manager : { ...manager, fields: manager.fields.difference(fields) }
}

/** A manager whose fields did not change keeps its time. */
export function timeOf(before: Manager | undefined, fields: FieldSet, now: string): string {
  return before !== undefined && isSame(before.fields, fields) ? before.time : now
}

function isSame(one: FieldSet, other: FieldSet): boolean {
  return one.size === other.size && one.isSubsetOf(other)
}
