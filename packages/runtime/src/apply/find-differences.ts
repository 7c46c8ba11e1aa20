/**
 * Which fields that we set are not as we want them.
 *
 * Three documents are walked at once: what we want, what is there, and which fields the server says are ours. Fields of
 * others are never looked at. A difference too many costs one apply, which changes nothing and is remembered; a
 * difference too few would cost the truth, so in doubt it is one.
 *
 * @module
 */
import {
  isJsonList,
  isJsonObject,
  ownEntries,
  ownKeys,
  ownValue,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@slurm-operator/kube'
import type { LiveChild } from './child.ts'
import { equalWholes } from './compare-whole.ts'
import type { Difference } from './difference.ts'
import { compareElements } from './compare-elements.ts'
import { isAtomicMap } from './built-in.ts'
import { isOneValue, isOwnedItself, ownedElements, ownedField, ownedNames, type OwnedFields } from './owned-fields.ts'
import { findElement } from './list-elements.ts'
import { difference, type Place } from './place.ts'

/** Compare; no owned fields at all means that we never applied the object. */
export function findDifferences(wanted: KubeObject, live: LiveChild, owned: OwnedFields | undefined): Difference[] {
  if (owned === undefined) return [{ path: '', why: 'not-ours' }]
  const { apiVersion, kind, metadata, ...rest } = wanted
  const { name: _name, namespace: _namespace, ...meta } = metadata
  const fields = asJson({ ...rest, ...(Object.keys(meta).length > 0 && { metadata: meta }) })
  return compareFields({ wanted: fields, live: asJson(live), owned, path: '', at: [], type: `${apiVersion} ${kind}` })
}

/** Objects are JSON; their types do not say so. */
function asJson(object: object): JsonObject {
  return object as JsonObject
}

/** Compare one place and everything below it. */
function comparePlace(place: Place): Difference[] {
  const { wanted, live, owned } = place
  if (wanted === undefined)
    return owned !== undefined && isLeftOver(live, owned) ? [difference('left-over', place)] : []
  if (owned === undefined)
    return isWish(wanted, live) ? [difference(live === undefined ? 'missing' : 'not-ours', place)] : []
  if (isOneValue(owned)) return compareWhole({ ...place, wanted })
  if (isJsonObject(wanted)) return compareFields({ ...place, wanted, owned })
  if (isJsonList(wanted)) return compareElements({ ...place, wanted, owned }, comparePlace)
  return [difference('changed', place)]
}

function compareFields(place: Place & { readonly wanted: JsonObject; readonly owned: OwnedFields }): Difference[] {
  const { wanted, owned, path, at, type } = place
  const live = isJsonObject(place.live) ? place.live : undefined
  return [...new Set([...ownKeys(wanted), ...ownedNames(owned)])].flatMap((name) =>
    comparePlace({
      wanted: ownValue(wanted, name),
      live: ownValue(live, name) ?? undefined, // some servers leave a null behind
      owned: ownedField(owned, name),
      path: path === '' ? name : `${path}.${name}`,
      at: [...at, name],
      type,
    }),
  )
}

function compareWhole(place: Place & { readonly wanted: JsonValue }): Difference[] {
  const { wanted, live, at, type } = place
  // The server accepted it from us and shows nothing: for an empty value there is nothing to show.
  if (live === undefined) return isEmpty(wanted) ? [] : [difference('missing', place)]
  // `strategy: {}` says that there is a strategy; `selector: {}` says that it is empty.
  if (isJsonObject(wanted) && isEmpty(wanted) && isJsonObject(live) && !isAtomicMap(at.at(-1) ?? '', type)) return []
  return equalWholes(wanted, live, { type, at }) ? [] : [difference('changed', place)]
}

function isEmpty(value: JsonValue): boolean {
  if (isJsonList(value)) return value.length === 0
  if (isJsonObject(value)) return ownKeys(value).length === 0
  return value === null || value === false || value === 0 || value === ''
}

/** Whether something is wanted that the server would note as ours. An empty list of keyed elements says nothing. */
function isWish(wanted: JsonValue, live: JsonValue | undefined): boolean {
  if (isJsonList(wanted)) return wanted.length > 0 || (isJsonList(live) && live.length > 0)
  if (!isJsonObject(wanted)) return true
  const entries = ownEntries(wanted)
  const inside = isJsonObject(live) ? live : undefined
  return entries.length === 0 || entries.some(([name, value]) => isWish(value, ownValue(inside, name)))
}

/** Whether something that we set and no longer want is still there. */
function isLeftOver(live: JsonValue | undefined, owned: OwnedFields): boolean {
  if (live === undefined) return false
  if (isOwnedItself(owned)) return true
  if (isJsonObject(live)) {
    return ownedNames(owned).some((name) => isLeftOver(ownValue(live, name), ownedField(owned, name) ?? {}))
  }
  if (!isJsonList(live)) return true
  return ownedElements(owned).some((element) => isLeftOver(findElement(live, element), element.fields))
}
