import type { RandomSource } from '../../random/random-source.ts'

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'
const SUFFIX_LENGTH = 5
const LONGEST_BASE = 63 - SUFFIX_LENGTH

/** A name for an object that only has the beginning of one. */
export function generateName(beginning: string, random: RandomSource): string {
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => ALPHABET.charAt(random.below(ALPHABET.length))).join('')
  return `${beginning.slice(0, LONGEST_BASE)}${suffix}`
}

/** A new identity, in the form of a random UUID. */
export function generateUid(random: RandomSource): string {
  const digits = Array.from({ length: 32 }, () => random.below(16))
  digits[12] = 4
  digits[16] = 8 + random.below(4)
  const text = digits.map((digit) => digit.toString(16)).join('')
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
