/**
 * JSON without losses: whole numbers that a double cannot hold are read as `bigint` and written with all their digits.
 *
 * @module
 */

const MANY_DIGITS = /\d{16}/ // no number with fewer digits is rounded

/** Read JSON. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  // A reviver costs much more than reading; nearly no text needs one.
  return MANY_DIGITS.test(text) ? (JSON.parse(text, keepDigits) as unknown) : JSON.parse(text)
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
