import { isJsonList, type JsonValue } from '@slurm-operator/kube'
import type { Difference } from './difference.ts'
import type { Place } from './place.ts'
import { findElement, isElement, printElement } from './list-elements.ts'
import { ownedElements, type OwnedElement, type OwnedFields } from './owned-fields.ts'

type ListPlace = Place & { readonly wanted: readonly JsonValue[]; readonly owned: OwnedFields }
type ComparePlace = (place: Place) => Difference[]

/** Compare a list that is merged element by element. Elements of others may stand between ours. */
export function compareElements(place: ListPlace, compare: ComparePlace): Difference[] {
  const live = isJsonList(place.live) ? place.live : []
  const elements = ownedElements(place.owned)
  const ours = place.wanted.map((item) => elements.find((element) => isElement(item, element)))
  const dropped = elements.filter((element) => !ours.includes(element))
  return [
    ...place.wanted.flatMap((item, index) => compareItem(place, item, ours[index], live, compare)),
    ...dropped.flatMap((element) => compare(inside(place, undefined, element, live))),
    ...(isInOrder(ours, live) ? [] : [{ path: place.path, why: 'order' } as const]),
  ]
}

function compareItem(
  place: ListPlace,
  item: JsonValue,
  element: OwnedElement | undefined,
  live: readonly JsonValue[],
  compare: ComparePlace,
): Difference[] {
  if (element !== undefined) return compare(inside(place, item, element, live))
  return [{ path: `${place.path}[${place.wanted.indexOf(item)}]`, why: 'missing', wanted: item }]
}

function inside(
  place: ListPlace,
  wanted: JsonValue | undefined,
  element: OwnedElement,
  live: readonly JsonValue[],
): Place {
  const { path, at, type } = place
  return {
    wanted,
    live: findElement(live, element),
    owned: element.fields,
    path: path + printElement(element),
    at,
    type,
  }
}

/** The order of keyed elements has a meaning: of containers, of variables that use each other. That of sets has none. */
function isInOrder(ours: readonly (OwnedElement | undefined)[], live: readonly JsonValue[]): boolean {
  const places = ours.flatMap((element) =>
    element?.is === 'keyed' ? [live.findIndex((item) => isElement(item, element))] : [],
  )
  const found = places.filter((index) => index >= 0)
  return found.every((index, position) => position === 0 || index > (found[position - 1] ?? -1))
}
