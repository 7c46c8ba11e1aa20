/** Compare two records of the same kind, some fields left aside. Values are plain, or lists of plain ones. */
export function sameFieldsBut<T extends object>(
  ...aside: readonly (keyof T & string)[]
): (one: T, other: T) => boolean {
  let fields: readonly (keyof T & string)[] | undefined // all records of a kind have the same
  return (one, other) => {
    if (one === other) return true
    fields ??= (Object.keys(one) as (keyof T & string)[]).filter((field) => !aside.includes(field))
    return fields.every((field) => isSameValue(one[field], other[field]))
  }
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
  return one.every((value, at) => Object.is(value, other[at]))
}
