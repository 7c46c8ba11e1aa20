import { isJsonList, isJsonObject, ownEntries, type JsonObject, type JsonValue } from '../json/json-value.ts'

/** The order in which Go prints the fields of a struct: as declared. Keys that are not listed come last, sorted. */
export interface KeyOrder {
  readonly keys: readonly string[]
  /** The order inside a field, and inside the elements of a field that is a list. */
  readonly inside?: Readonly<Record<string, KeyOrder>>
}

/**
 * Compact JSON, byte by byte as Go prints it: keys sorted, `<`, `>`, `&`, U+2028 and U+2029 escaped. Hashes over
 * objects are hashes over this text.
 */
export function printGoJson(value: JsonValue | bigint, order?: KeyOrder): string {
  if (typeof value === 'string') return printText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') return printNumber(value)
  if (isJsonList(value)) return `[${value.map((item) => printGoJson(item, order)).join(',')}]`
  if (isJsonObject(value)) return printObject(value, order)
  return String(value)
}

/** Negative, zero or positive: by bytes of UTF-8, which is by code points, not by UTF-16 units. */
export function compareAsGo(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function printObject(object: JsonObject, order: KeyOrder | undefined): string {
  const place = new Map(order?.keys.map((key, index) => [key, index]))
  const placeOf = (key: string) => place.get(key) ?? place.size
  const entries = ownEntries(object).sort(([a], [b]) => placeOf(a) - placeOf(b) || compareAsGo(a, b))
  return `{${entries.map(([key, value]) => `${printText(key)}:${printGoJson(value, insideOf(order, key))}`).join(',')}}`
}

function insideOf(order: KeyOrder | undefined, key: string): KeyOrder | undefined {
  return order?.inside && Object.hasOwn(order.inside, key) ? order.inside[key] : undefined
}

/** JavaScript and Go print the same shortest form, and change to exponents at the same sizes. */
function printNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`Cannot write ${value} as JSON: it is not a finite number.`)
  return Object.is(value, -0) ? '0' : String(value)
}

function printText(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll(/[<>&\u2028\u2029]/g, escape)
}

function escape(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
