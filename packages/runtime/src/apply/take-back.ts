/**
 * The way back for a port of ours whose number somebody has changed.
 *
 * The server tells ports apart by their numbers. Whoever edits one has, for the server, removed our port and added a port
 * that bears its name; and ours cannot come back beside it, because two ports of one name are refused. What bears the
 * name of a port that we want is ours by that name. So the server is told first that its fields were set by us, which
 * changes no field; the next apply, which does not mention it, takes it away and puts ours in its place, at once.
 *
 * Ports with other names are somebody's own and stay.
 *
 * @module
 */
import {
  isJsonList,
  isJsonObject,
  ownValue,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type ManagedFieldsEntry,
} from '@slurm-operator/kube'
import type { LiveChild } from './child.ts'
import { findElement } from './list-elements.ts'
import {
  keepOwnFields,
  mergeOwnedFields,
  ownedElements,
  ownedField,
  ownedNames,
  type OwnedElement,
  type OwnedFields,
} from './owned-fields.ts'

/** Where something is in a tree of fields: `f:spec`, `f:ports`, `k:{…}`. */
type FieldPath = readonly string[]

/** What `managedFields` must be so that the ports are ours again; undefined if nobody has taken any. */
export function takeBackPorts(
  wanted: KubeObject,
  live: LiveChild,
  fieldManager: string,
): readonly ManagedFieldsEntry[] | undefined {
  const { managedFields = [] } = live.metadata
  const [ours] = keepOwnFields(managedFields, fieldManager)
  if (ours === undefined) return undefined
  const taken = managedFields
    .filter((entry) => entry !== ours && entry.apiVersion === ours.apiVersion)
    .map((entry) => ({ entry, paths: findTaken(asJson(wanted), asJson(live), fieldsOf(entry)) }))
    .filter(({ paths }) => paths.length > 0)
  if (taken.length === 0) return undefined
  const back = taken.flatMap(({ entry, paths }) => paths.map((path) => pick(fieldsOf(entry), path)))
  const fieldsV1 = back.reduce(mergeOwnedFields, fieldsOf(ours))
  return managedFields.map((entry) => {
    const paths = taken.find((one) => one.entry === entry)?.paths ?? []
    return entry === ours ? { ...ours, fieldsV1 } : { ...entry, fieldsV1: paths.reduce(drop, fieldsOf(entry)) }
  })
}

/** Ports that bear the name of one that we want, among the fields of somebody else. */
function findTaken(wanted: JsonValue | undefined, live: JsonValue | undefined, theirs: OwnedFields): FieldPath[] {
  if (isJsonList(wanted) && isJsonList(live)) return findInList(wanted, live, theirs)
  if (!isJsonObject(wanted) || !isJsonObject(live)) return []
  return ownedNames(theirs).flatMap((name) =>
    findTaken(ownValue(wanted, name), ownValue(live, name), ownedField(theirs, name) ?? {}).map((path) => [
      `f:${name}`,
      ...path,
    ]),
  )
}

function findInList(wanted: readonly JsonValue[], live: readonly JsonValue[], theirs: OwnedFields): FieldPath[] {
  return ownedElements(theirs).flatMap((element) => {
    const item = findElement(live, element)
    const own = findElement(wanted, element)
    const step = `k:${JSON.stringify(element.identity)}`
    if (own !== undefined) return findTaken(own, item, element.fields).map((path) => [step, ...path])
    return wanted.some((port) => isSamePort(port, item, element)) ? [[step]] : []
  })
}

/** A Service with one port need not name it; in a container, ports without names are different ones. */
function isSamePort(port: JsonValue, item: JsonValue | undefined, { identity }: OwnedElement): boolean {
  if (!isJsonObject(identity) || !isJsonObject(port) || !isJsonObject(item)) return false
  const isOfService = Object.hasOwn(identity, 'port')
  if (!isOfService && !Object.hasOwn(identity, 'containerPort')) return false
  const name = ownValue(port, 'name')
  return name === ownValue(item, 'name') && (name !== undefined || isOfService)
}

function fieldsOf({ fieldsV1 }: ManagedFieldsEntry): OwnedFields {
  return (fieldsV1 ?? {}) as OwnedFields
}

function pick(fields: OwnedFields, [step = '', ...rest]: FieldPath): OwnedFields {
  const inside = fields[step]
  return { [step]: isJsonObject(inside) && rest.length > 0 ? pick(inside, rest) : (inside ?? {}) }
}

function drop(fields: OwnedFields, [step = '', ...rest]: FieldPath): OwnedFields {
  const { [step]: inside, ...others } = fields
  return isJsonObject(inside) && rest.length > 0 ? { ...others, [step]: drop(inside, rest) } : others
}

/** Objects are JSON; their types do not say so. */
function asJson(object: object): JsonObject {
  return object as JsonObject
}
