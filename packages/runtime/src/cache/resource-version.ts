/** How one state of an object, or of a whole list, stands to another. */
export type Age = 'older' | 'same' | 'newer' | 'unknown'

/**
 * Compare two resourceVersions. Servers of 1.35 and newer promise that they are numbers which grow; older ones happen to
 * do the same. Anything else cannot be compared, and then nobody may pretend to know.
 */
export function ageOf(version: string, comparedWith: string): Age {
  if (version === comparedWith) return 'same'
  if (!isNumber(version) || !isNumber(comparedWith)) return 'unknown'
  if (version.length !== comparedWith.length) return version.length < comparedWith.length ? 'older' : 'newer'
  return version < comparedWith ? 'older' : 'newer'
}

function isNumber(version: string): boolean {
  return /^[1-9]\d*$/.test(version)
}
