/** The names of the fields on the way to a place; elements of lists do not count. */
export type FieldNames = readonly string[]

/** Whether a place ends with these names. `*` stands for any name, `*Time` for any that ends so. */
export function leadsTo(at: FieldNames, pattern: FieldNames): boolean {
  const offset = at.length - pattern.length
  return offset >= 0 && pattern.every((name, index) => isLike(at[offset + index] ?? '', name))
}

function isLike(name: string, pattern: string): boolean {
  return pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern
}
