import { createHash } from 'node:crypto'

const HASH_LENGTH = 10
const DIGEST_BITS = 64n
// Consonants and digits: a hash that spells nothing and starts with a letter or digit like any name.
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/**
 * A generated name that fits. Short ones stay as they are; of long ones the end gives way to a hash of the whole, so
 * different names stay different and the same name always gives the same result.
 */
export function shortenName(name: string, longest: number): string {
  if (name.length <= longest) return name
  const room = longest - HASH_LENGTH - 1
  if (room < 1) {
    throw new RangeError(`Cannot shorten a name to ${longest} characters: its hash alone needs ${HASH_LENGTH + 2}.`)
  }
  return `${withoutLooseEnd(name.slice(0, room))}-${shortHash(name)}`
}

/** A name with an ending that must survive, such as `-config`: only what stands before it is shortened. */
export function shortenNameBefore(name: string, ending: string, longest: number): string {
  return name.length + ending.length <= longest ? name + ending : shortenName(name, longest - ending.length) + ending
}

function withoutLooseEnd(text: string): string {
  const trimmed = text.replace(/[^A-Za-z0-9]+$/, '')
  return trimmed === '' ? 'x' : trimmed
}

function shortHash(text: string): string {
  let rest = createHash('sha256').update(text).digest().readBigUInt64BE() % 2n ** DIGEST_BITS
  let hash = ''
  for (let position = 0; position < HASH_LENGTH; position++) {
    hash += ALPHABET[Number(rest % BigInt(ALPHABET.length))] ?? ''
    rest /= BigInt(ALPHABET.length)
  }
  return hash
}
