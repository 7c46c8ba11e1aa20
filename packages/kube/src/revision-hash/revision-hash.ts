/**
 * The hash in the name of a ControllerRevision. It must equal the one the Go operators compute, or changing from one
 * program to the other would replace every pod.
 *
 * @module
 */

const FNV_OFFSET = 2_166_136_261
const FNV_PRIME = 16_777_619
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'
const LONGEST_OWNER_BYTES = 223

/** The hash of a revision's data, already printed as Go prints it; the count tells colliding ones apart. */
export function revisionHash(json: string, collisionCount: number): string {
  const sum = fnv1(Buffer.from(json + String(collisionCount)))
  return encodeSafely(String(sum))
}

/** The name of the revision: so much of its owner's name as fits, and the hash. */
export function revisionName(ownerName: string, hash: string): string {
  return `${Buffer.from(ownerName).subarray(0, LONGEST_OWNER_BYTES).toString()}-${hash}`
}

function fnv1(bytes: Uint8Array): number {
  let sum = FNV_OFFSET
  for (const byte of bytes) sum = (Math.imul(sum, FNV_PRIME) ^ byte) >>> 0
  return sum
}

/** Letters that spell no words and pass in any name. */
function encodeSafely(text: string): string {
  return Array.from(text, (character) => ALPHABET[character.charCodeAt(0) % ALPHABET.length]).join('')
}
