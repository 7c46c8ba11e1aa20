import { createHash } from 'node:crypto'

const HASH_LENGTH = 8
const NAME_PART = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/

/** A text as part of an object name: as it is where possible, else what can be kept of it, and a hash of the whole. */
export function asNamePart(text: string): string {
  if (NAME_PART.test(text) && !/\.[-.]|-\./.test(text)) return text
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)
  const kept = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return kept === '' ? hash : `${kept}-${hash}`
}
