import { describeError } from './describe-error.ts'

/** A value that JSON can hold, with nothing in it that must not be seen. */
type Printable = string | number | boolean | null | readonly Printable[] | PrintableFields

/** Several of them with their names. */
export interface PrintableFields {
  readonly [name: string]: Printable
}

const MASK = '<hidden>'
const DEEPEST = 6
const MOST_ITEMS = 100
const LONGEST_TEXT = 16_384

/** Names of fields whose values are never shown. Written without case, dashes and underscores. */
const hiddenNames: ReadonlySet<string> = new Set(
  'password passwd passphrase token accesstoken refreshtoken bearertoken idtoken authtoken apitoken jwt authorization proxyauthorization cookie setcookie apikey privatekey clientkey clientkeydata secretkey signingkey sharedkey credentials stringdata'.split(
    ' ',
  ),
)

/** Make the fields of a line printable. It never throws: a line about a failure must not be another failure. */
export function printableFields(
  fields: Readonly<Record<string, unknown>>,
  hide: (text: string) => string,
): PrintableFields {
  return convertFields(Object.entries(fields), { hide, depth: 0, above: [fields] })
}

/** Whether a field of this name is hidden whatever it holds. */
function isHiddenName(name: string): boolean {
  const bare = name.toLowerCase().replaceAll(/[-_]/g, '')
  return hiddenNames.has(bare) || bare.endsWith('.key') // the usual names of key files in a Secret
}

interface Context {
  readonly hide: (text: string) => string
  readonly depth: number
  /** The objects that this value is in. */
  readonly above: readonly object[]
}

function convert(value: unknown, context: Context): Printable | undefined {
  switch (typeof value) {
    case 'string':
      return shorten(context.hide(value))
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'boolean':
      return value
    case 'bigint':
      return value.toString()
    case 'object':
      return value === null ? null : convertSafely(value, context)
    case 'undefined':
      return undefined
    default:
      return `<${typeof value}>`
  }
}

function convertSafely(value: object, context: Context): Printable | undefined {
  if (context.above.includes(value)) return '<circular>'
  if (context.depth >= DEEPEST) return '<too deep>'
  const inner = { ...context, depth: context.depth + 1, above: [...context.above, value] }
  try {
    return convertObject(value, inner)
  } catch {
    return '<unprintable>' // a getter threw
  }
}

function convertObject(value: object, context: Context): Printable | undefined {
  if (value instanceof Error) return convertError(value, context)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '<no time>' : value.toISOString()
  if (value instanceof Map)
    return convertFields(
      [...value].map(([name, item]) => [String(name), item]),
      context,
    )
  if (value instanceof Set) return convertItems([...value], context)
  if (ArrayBuffer.isView(value)) return `<${value.byteLength} bytes>`
  if (Array.isArray(value)) return convertItems(value, context)
  const toJson: unknown = 'toJSON' in value ? value.toJSON : undefined
  if (typeof toJson === 'function') return convert(toJson.call(value), context)
  return convertFields(Object.entries(value), context, isSecretObject(value))
}

function convertError(error: Error, context: Context): Printable | undefined {
  const { stack: _stack, ...description } = describeError(error)
  return convertFields(Object.entries(description), context)
}

function convertItems(items: readonly unknown[], context: Context): Printable {
  const shown = items.slice(0, MOST_ITEMS).map((item) => convert(item, context) ?? null)
  return items.length > MOST_ITEMS ? [...shown, `<${items.length - MOST_ITEMS} more>`] : shown
}

function convertFields(
  fields: readonly (readonly [string, unknown])[],
  context: Context,
  hideData = false,
): PrintableFields {
  const pairs = fields.slice(0, MOST_ITEMS).flatMap(([name, value]) => {
    const isHidden = isHiddenName(name) || (hideData && name === 'data')
    const shown = isHidden ? maskOf(value) : convert(value, context)
    return shown === undefined ? [] : [[context.hide(name), shown] as const]
  })
  return Object.fromEntries(pairs)
}

/** That something is not set is no secret, and often the answer. */
function maskOf(value: unknown): Printable | undefined {
  if (value === undefined || value === null || value === '' || typeof value === 'boolean') return value
  return MASK
}

function isSecretObject(value: object): boolean {
  return 'kind' in value && value.kind === 'Secret'
}

function shorten(text: string): string {
  if (text.length <= LONGEST_TEXT) return text
  return `${text.slice(0, LONGEST_TEXT)}… <${text.length - LONGEST_TEXT} more characters>`
}
