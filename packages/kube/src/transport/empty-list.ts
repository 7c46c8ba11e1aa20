/**
 * Takes a list out of the text of an object before anybody parses it: half of what an API server sends is
 * `managedFields`, and most readers throw it away.
 *
 * @module
 */

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_MAP, CLOSE_MAP, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]
const SPACE = 0x20

/**
 * The same JSON with `[]` for the list at this path. Everything else stays as it is, also lists of the same name in other
 * places; a text that is no JSON, or has no such list, comes back unchanged or stays unreadable.
 */
export function emptyList(text: string, path: readonly string[]): string {
  const name = path.at(-1)
  if (name === undefined || !text.includes(`"${name}"`)) return text
  let at: number | undefined = skipSpace(text, 0)
  for (const key of path) if (at !== undefined) at = findField(text, at, key)
  if (at === undefined || text.charCodeAt(at) !== OPEN_LIST) return text
  return `${text.slice(0, at + 1)}${text.slice(endOfValue(text, at) - 1)}`
}

/** Where the value of a field begins, in the map that begins here. */
function findField(text: string, mapAt: number, name: string): number | undefined {
  if (text.charCodeAt(mapAt) !== OPEN_MAP) return undefined
  let at = skipSpace(text, mapAt + 1)
  while (text.charCodeAt(at) === QUOTE) {
    const end = endOfString(text, at)
    const colon = skipSpace(text, end)
    if (text.charCodeAt(colon) !== COLON) return undefined
    const value = skipSpace(text, colon + 1)
    if (end - at === name.length + 2 && text.startsWith(name, at + 1)) return value
    at = skipSpace(text, endOfValue(text, value))
    if (text.charCodeAt(at) !== COMMA) return undefined
    at = skipSpace(text, at + 1)
  }
  return undefined
}

/** The place behind a value. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at) - 1
    else if (code === OPEN_MAP || code === OPEN_LIST) depth++
    else if (code === CLOSE_MAP || code === CLOSE_LIST) depth--
    if (depth === 0 && isEnd(text, at + 1)) return at + 1
  }
  return text.length
}

/** Whether a value of one piece ends before here. */
function isEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === COMMA || code === CLOSE_MAP || code === CLOSE_LIST || code <= SPACE || Number.isNaN(code)
}

/** The place behind the quote that ends a string: one that no odd number of backslashes precedes. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at + 1
  }
  return text.length
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) <= SPACE) at++
  return at
}
