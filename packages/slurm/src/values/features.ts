/** Features from a text with commas: blanks and repetitions dropped, the order kept. */
export function readFeatures(text: string): string[] {
  return uniqueFeatures(text.split(','))
}

/** The same features, whatever their order and however often. */
export function sameFeatures(one: readonly string[], other: readonly string[]): boolean {
  const wanted = new Set(uniqueFeatures(other))
  const given = new Set(uniqueFeatures(one))
  return wanted.size === given.size && wanted.isSubsetOf(given)
}

/** Put `wanted` in the place of all features that begin with `prefix`, and leave everybody else's alone. */
export function replaceFeatures(current: readonly string[], prefix: string, wanted: readonly string[]): string[] {
  const foreign = current.filter((feature) => !feature.trim().startsWith(prefix))
  return uniqueFeatures([...foreign, ...wanted.map((feature) => `${prefix}${feature.trim()}`).sort()])
}

function uniqueFeatures(features: readonly string[]): string[] {
  return [...new Set(features.map((feature) => feature.trim()).filter((feature) => feature !== ''))]
}
