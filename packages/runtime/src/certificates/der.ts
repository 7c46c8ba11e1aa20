/**
 * The few ASN.1 values that a certificate consists of, in their distinguished encoding.
 *
 * A library would bring seventeen packages for this; what we need of X.509 is one shape of certificate. openssl checks
 * the result in the tests.
 *
 * @module
 */

/** A tag, a length and a value. */
function tagged(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), lengthOf(value.length), value])
}

/** An ordered list of values. */
export const sequence = (...items: readonly Uint8Array[]): Buffer => tagged(0x30, ...items)

/** An unordered list of values; here only ever with one of them. */
export const setOf = (...items: readonly Uint8Array[]): Buffer => tagged(0x31, ...items)

/** A value that is marked with a number of its surroundings: `[0] EXPLICIT`. */
export const explicit = (number: number, content: Uint8Array): Buffer => tagged(0xa0 | number, content)

/** A value whose own tag is replaced: `[0] IMPLICIT`, for values that hold no others. */
export const implicit = (number: number, content: Uint8Array): Buffer => tagged(0x80 | number, content)

export const octetString = (content: Uint8Array): Buffer => tagged(0x04, content)
export const utf8String = (text: string): Buffer => tagged(0x0c, Buffer.from(text, 'utf8'))
export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]))

/** A bit string; `unused` bits at its end do not count. */
export const bitString = (content: Uint8Array, unused = 0): Buffer => tagged(0x03, Buffer.from([unused]), content)

/** A whole number that is not negative, from its bytes, most significant first. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const shortest = bytes.subarray(start)
  return tagged(0x02, (shortest[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), shortest]) : shortest)
}

/** An object identifier such as `2.5.4.3`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** A moment: years before 2050 have a form of their own, as X.509 demands. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return date.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}
