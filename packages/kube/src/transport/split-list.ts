/**
 * Read a list of any size piece by piece. `JSON.parse` of ten thousand pods stops everything else for half a second;
 * here each item is parsed by itself, as soon as its last byte is there.
 *
 * @module
 */
import { textOf } from './read-lines.ts'

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_MAP, CLOSE_MAP, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]
const SPACE = 0x20
const ITEMS_BEGIN = '"items":['

/** Takes a list apart: the items one by one, the rest as one text with `"items":[]` in it. */
export class ListSplitter {
  readonly #tellItem: (text: string) => void
  #phase: 'before' | 'items' | 'after' = 'before'
  #depth = 0
  #inString = false
  #isEscaped = false
  /** At depth 1, before the items: the key that was read last, to know when `items` begins. */
  #key: number[] = []
  #item: Uint8Array[] = []
  readonly #rest: Uint8Array[] = []

  constructor(tellItem: (text: string) => void) {
    this.#tellItem = tellItem
  }

  /** The next bytes of the list. */
  push(chunk: Uint8Array): void {
    let position = 0
    while (position < chunk.length) {
      position = this.#phase === 'items' ? this.#readItems(chunk, position) : this.#readRest(chunk, position)
    }
  }

  /** The list without its items; call it after the last bytes. */
  end(): string {
    if (this.#phase === 'items' || this.#depth !== 0) throw new SyntaxError('the list ends before its end')
    return textOf(this.#rest)
  }

  /** Everything around the items: a few hundred bytes, so it need not be fast. */
  #readRest(chunk: Uint8Array, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      this.#noteKey(byte)
      this.#track(byte)
      if (byte === OPEN_LIST && !this.#inString && this.#isItems()) {
        this.#rest.push(chunk.subarray(start, at + 1))
        this.#phase = 'items'
        this.#depth = 0
        return at + 1
      }
    }
    this.#rest.push(chunk.subarray(start))
    return chunk.length
  }

  #noteKey(byte: number): void {
    if (this.#phase !== 'before' || this.#depth !== 1) return
    if (byte === COMMA && !this.#inString) this.#key = []
    else if (byte > SPACE && this.#key.length <= ITEMS_BEGIN.length) this.#key.push(byte)
  }

  #isItems(): boolean {
    if (this.#phase !== 'before' || this.#depth !== 2) return false
    return String.fromCharCode(...this.#key) === ITEMS_BEGIN
  }

  #track(byte: number): void {
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) this.#inString = false
    } else if (byte === QUOTE) this.#inString = true
    else if (byte === OPEN_MAP || byte === OPEN_LIST) this.#depth++
    else if (byte === CLOSE_MAP || byte === CLOSE_LIST) this.#depth--
  }

  /** The bulk: local variables only, one look at each byte. */
  #readItems(chunk: Uint8Array, from: number): number {
    let [depth, inString, isEscaped, start] = [this.#depth, this.#inString, this.#isEscaped, from]
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) inString = false
      } else if (byte === QUOTE) inString = true
      else if (byte === OPEN_MAP || byte === OPEN_LIST) {
        if (depth++ === 0) start = at
      } else if (byte === CLOSE_MAP || byte === CLOSE_LIST) {
        if (depth === 0) return this.#endItems(at)
        if (--depth === 0) this.#endItem(chunk.subarray(start, at + 1))
      }
    }
    this.#depth = depth
    this.#inString = inString
    this.#isEscaped = isEscaped
    if (depth > 0) this.#item.push(chunk.subarray(start))
    return chunk.length
  }

  #endItem(lastPiece: Uint8Array): void {
    this.#item.push(lastPiece)
    const text = textOf(this.#item)
    this.#item = []
    this.#tellItem(text)
  }

  /** The closing bracket belongs to the rest again, where two levels are still open. */
  #endItems(at: number): number {
    this.#phase = 'after'
    this.#depth = 2
    this.#inString = false // the fields still say how the last piece ended
    this.#isEscaped = false
    return at
  }
}
