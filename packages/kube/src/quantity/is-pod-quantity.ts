/** Where amounts stand in a pod; `*` is any key. Free-form maps such as labels hold texts only, so nothing in them can match. */
const PLACES = [
  ['resources', 'limits', '*'],
  ['resources', 'requests', '*'],
  ['overhead', '*'],
  ['emptyDir', 'sizeLimit'],
  ['resourceFieldRef', 'divisor'],
]

/** Whether the names of the fields on the way to a value, without places in lists, lead to an amount. */
export function isPodQuantity(path: readonly string[]): boolean {
  return PLACES.some((place) => {
    const end = path.slice(-place.length)
    return end.length === place.length && place.every((key, index) => key === '*' || key === end[index])
  })
}
