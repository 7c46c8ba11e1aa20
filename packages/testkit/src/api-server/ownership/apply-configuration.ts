/**
 * Server-side apply: one manager says what it wants; what it wanted before and no longer mentions goes away, unless
 * somebody else wants it; what others want differently is a conflict.
 *
 * @module
 */
import type { JsonObject, JsonValue } from '@slurm-operator/kube'
import type { ManagedFieldsEntry } from '../objects/api-object.ts'
import { compareFields } from './compare.ts'
import { ancestorsOf, elementsOf, inServerOrder, noFields, type FieldPath, type FieldSet } from './field-set.ts'
import { idOf, printManagers, readManagers, type Manager } from './managers.ts'
import { mergeConfiguration } from './merge.ts'
import { removeFields } from './remove-fields.ts'
import { partWithinReach, withinReach } from './scope.ts'
import type { Topology } from './topology.ts'
import { timeOf, without, type Writing } from './update-ownership.ts'
import { fieldsOf } from './walk.ts'

/** A field that somebody else wants differently. */
export interface OwnershipConflict {
  readonly manager: Manager
  readonly field: FieldPath
}

/** The object that results, and who owns what in it. */
export interface Applied {
  readonly object: JsonObject
  readonly managedFields: readonly ManagedFieldsEntry[]
  readonly conflicts: readonly OwnershipConflict[]
}

/** Apply a configuration to an object, or to nothing. */
export function applyConfiguration(
  live: JsonObject | undefined,
  wanted: JsonObject,
  entries: readonly ManagedFieldsEntry[] | undefined,
  writing: Writing,
): Applied {
  const { topology, subresource, hasStatus } = writing
  const managers = readManagers(entries)
  const who = { name: writing.manager, operation: 'Apply', apiVersion: writing.apiVersion, subresource } as const
  const id = idOf(who)
  const lastFields = managers.get(id)?.fields ?? noFields
  const fields = withinReach(fieldsOf(wanted, topology), subresource, hasStatus)
  const reachable = partWithinReach(wanted, subresource, hasStatus)
  const mine: Manager = { ...who, fields, time: timeOf(managers.get(id), fields, writing.time) }
  const others = [...managers].filter(([other]) => other !== id).map(([, manager]) => manager)

  const merged = mergeConfiguration(live, reachable, topology) as JsonObject
  const object = prune(merged, lastFields, [mine, ...others], topology)
  const compared = compareFields(live ?? {}, object, topology)
  const conflicts = others.flatMap((manager) =>
    inServerOrder(manager.fields.intersection(compared.set)).map((field) => ({ manager, field })),
  )
  const gone = compared.set.union(compared.removed)
  const left = others.map((manager) => without(manager, gone))
  return { object, managedFields: printManagers([mine, ...left]), conflicts }
}

/** Take out what the manager applied last time and nobody wants any more. */
function prune(merged: JsonObject, last: FieldSet, managers: readonly Manager[], topology: Topology): JsonObject {
  const [mine] = managers
  if (last.isSubsetOf(mine?.fields ?? noFields)) return merged // it mentions all that it mentioned before
  const named = (set: FieldSet) => withNamedAncestors(set, topology)
  const allFields = named(fieldsOf(merged, topology))
  const remove = (fields: FieldSet): JsonValue => removeFields(merged, fields, topology)
  const present = (value: JsonValue) => named(fieldsOf(value, topology))
  const owned = named(managers.map(({ fields }) => fields).reduce((all, fields) => all.union(fields), noFields))

  const bare = remove(named(last))
  const withOwned = remove(allFields.difference(present(bare).union(owned)))
  const dropped = allFields.difference(present(withOwned)).intersection(named(last))
  return remove(dropped) as JsonObject
}

/** A field of a struct counts as owned when something in it is; an element of a list or an entry of a map does not. */
function withNamedAncestors(set: FieldSet, topology: Topology): FieldSet {
  const result = new Set(set)
  for (const path of set) {
    for (const ancestor of ancestorsOf(path)) {
      if (!result.has(ancestor) && isNamedField(ancestor, topology)) result.add(ancestor)
    }
  }
  return result
}

function isNamedField(path: FieldPath, topology: Topology): boolean {
  let at = topology
  let isNamed = false
  for (const element of elementsOf(path)) {
    const field = element.startsWith('f:') ? element.slice(2) : undefined
    isNamed = field !== undefined && at.names(field)
    at = field === undefined ? at.element() : at.field(field)
  }
  return isNamed
}
