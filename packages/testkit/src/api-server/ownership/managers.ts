import type { ManagedFieldsEntry } from '../objects/api-object.ts'
import { parseFieldSet, printFieldSet, type FieldSet } from './field-set.ts'

/** One manager of an object and the fields that it owns. */
export interface Manager {
  readonly name: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource: string | undefined
  readonly time: string
  readonly fields: FieldSet
}

/** Who a manager is: one that applies is the same in every version. */
export function idOf({ name, operation, apiVersion, subresource = '' }: Omit<Manager, 'fields' | 'time'>): string {
  return [name, operation, operation === 'Apply' ? '' : apiVersion, subresource].join('\n')
}

/** Read the managers of an object. */
export function readManagers(entries: readonly ManagedFieldsEntry[] | undefined): Map<string, Manager> {
  const managers = (entries ?? []).map(({ manager, operation, apiVersion, subresource, time, fieldsV1 }): Manager => ({
    ...{ name: manager, operation, apiVersion, subresource, time },
    fields: parseFieldSet(fieldsV1),
  }))
  return new Map(managers.map((manager) => [idOf(manager), manager]))
}

/** Write them in the order of the server: those who apply first, then by time and name. */
export function printManagers(managers: Iterable<Manager>): ManagedFieldsEntry[] {
  return [...managers]
    .filter(({ fields }) => fields.size > 0)
    .sort(compareManagers)
    .map(printManager)
}

function printManager({ name, operation, apiVersion, subresource, time, fields }: Manager): ManagedFieldsEntry {
  return {
    ...{ manager: name, operation, apiVersion, time, fieldsType: 'FieldsV1', fieldsV1: printFieldSet(fields) },
    ...(subresource !== undefined && { subresource }),
  }
}

function compareManagers(one: Manager, other: Manager): number {
  const order = (manager: Manager) => [
    manager.operation,
    manager.operation === 'Update' ? manager.time : '',
    manager.name,
    manager.apiVersion,
    manager.subresource ?? '',
  ]
  const [a, b] = [order(one), order(other)]
  const at = a.findIndex((part, index) => part !== b[index])
  return at === -1 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1
}
