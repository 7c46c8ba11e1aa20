import { createHash } from 'node:crypto'

/** What ConfigMaps hold, and Secrets once they are decoded. */
export type Contents = Readonly<Record<string, string | Uint8Array>>

/**
 * The hash of all values of a ConfigMap or a decoded Secret, in the order of their keys. The empty text for an empty or
 * absent object, as running clusters have it in their annotations.
 */
export function hashOfMap(contents: Contents | undefined): string {
  const keys = Object.keys(contents ?? {}).sort()
  if (contents === undefined || keys.length === 0) return ''
  const hash = createHash('sha256')
  for (const key of keys) hash.update(contents[key] ?? '')
  return hash.digest('hex')
}

/** The hash of one value; an absent one hashes like an empty one. */
export function hashOfValue(value: string | Uint8Array | undefined): string {
  return createHash('sha256')
    .update(value ?? '')
    .digest('hex')
}
