/**
 * JSON without losses: whole numbers that a double cannot hold are read as `bigint` and written with all their digits.
 *
 * @module
 */

const MANY_DIGITS = /\d{16}/ // no number with fewer digits is rounded
const LONG_NUMBER = /(?:^|[:[,])\s*-?\d{16}/ // not in the middle of a text, as in the digest of an image

/** Read JSON. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  return mayRound(text) ? (JSON.parse(text, keepDigits) as unknown) : JSON.parse(text)
}

/**
 * Whether the text may hold a number that needs the reviver, which costs ten times as much as reading. The first look is
 * the cheap one and nearly always the last.
 */
export function mayRound(text: string): boolean {
  return MANY_DIGITS.test(text) && LONG_NUMBER.test(text)
}

/** Write JSON. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? rawNumber(part) : part))
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source ?? ''
  return /^-?\d+$/.test(source) ? BigInt(source) : value
}

function rawNumber(value: bigint): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(value.toString())
}
