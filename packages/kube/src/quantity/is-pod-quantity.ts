import { leadsTo, type FieldNames } from '../json/field-names.ts'

/** Where amounts stand in a pod; `*` is any key. Free-form maps such as labels hold texts only, so nothing in them can match. */
const PLACES: readonly FieldNames[] = [
  ['resources', 'limits', '*'],
  ['resources', 'requests', '*'],
  ['overhead', '*'],
  ['emptyDir', 'sizeLimit'],
  ['resourceFieldRef', 'divisor'],
]

/** Whether the names of the fields on the way to a value, without places in lists, lead to an amount. */
export function isPodQuantity(path: FieldNames): boolean {
  return PLACES.some((place) => leadsTo(path, place))
}
