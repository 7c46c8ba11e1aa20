/**
 * Cuts one array out of a JSON object while its bytes arrive.
 *
 * A list of 10,000 nodes is 26 MB of text and far more as objects. Cut like this, each record is parsed, mapped to our
 * small model and forgotten before the next one; neither the text nor the raw objects ever exist as a whole, and
 * the work is spread over the arrival of the chunks. What remains outside the array is a small object.
 *
 * @module
 */

const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/** The bytes that mean something outside of strings; most do not. */
const MARKS = new Uint8Array(256)
for (const byte of [QUOTE, COMMA, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY]) MARKS[byte] = 1

/** Cuts the array under one key of the outermost object. The records come as JSON text in bytes, whole and in order. */
export class RecordSplitter {
  private readonly rest: Buffer[] = []
  private readonly record: Buffer[] = []
  private readonly endsWithKey: RegExp
  private depth = 0
  private inString = false
  private escaped = false
  private inRecords = false
  private started = false

  constructor(key: string) {
    this.endsWithKey = new RegExp(String.raw`(?<!\\)"${key}"\s*:\s*$`)
  }

  /** Feed the next bytes; returns the records that became complete, without space around them. */
  push(bytes: Uint8Array): Buffer[] {
    const chunk = Buffer.from(bytes) // a copy: whoever sent it may use its memory again
    const records: Buffer[] = []
    let from = 0 // where the piece that is being collected begins in this chunk
    let at = findMark(chunk, this.inString ? this.passString(chunk, 0) : 0)
    while (at < chunk.length) {
      if (chunk[at] === QUOTE) at = this.passString(chunk, at + 1)
      else from = this.passBracket(chunk, from, at++, records)
      at = findMark(chunk, at)
    }
    this.collecting().push(chunk.subarray(from))
    return records
  }

  /** All bytes are here: the object with an empty array in the place of the records. Throws if something is missing. */
  end(): string {
    if (this.depth !== 0 || this.inString || !this.started) throw new Error('it ends before it is complete')
    return Buffer.concat(this.rest).toString('utf8')
  }

  private collecting(): Buffer[] {
    return this.inRecords ? this.record : this.rest
  }

  /** Returns where a string is over, which may be in a later chunk. */
  private passString(chunk: Buffer, start: number): number {
    let at = findStringMark(chunk, this.escaped ? start + 1 : start)
    while (chunk[at] === BACKSLASH) at = findStringMark(chunk, at + 2)
    this.escaped = at > chunk.length // the byte that it protects is in the next one
    this.inString = at >= chunk.length
    return at + 1
  }

  /** A bracket or a comma. Returns where the piece that is being collected begins after it. */
  private passBracket(chunk: Buffer, from: number, at: number, records: Buffer[]): number {
    switch (chunk[at]) {
      case OPEN_OBJECT:
        this.open()
        return from
      case OPEN_ARRAY:
        this.open()
        return this.depth === 2 && this.isAfterKey(chunk, from, at) ? this.enter(chunk, from, at) : from
      case COMMA:
        if (!this.inRecords || this.depth !== 2) return from
        this.takeRecord(chunk, from, at, records)
        return at + 1
      default: {
        const start = this.inRecords && this.depth === 2 ? this.leave(chunk, from, at, records) : from
        this.depth--
        return start
      }
    }
  }

  private open(): void {
    this.depth++
    this.started = true
  }

  /** Only asked for arrays directly inside the outermost object, of which there are few. */
  private isAfterKey(chunk: Buffer, from: number, at: number): boolean {
    return this.endsWithKey.test(Buffer.concat([...this.rest, chunk.subarray(from, at)]).toString('utf8'))
  }

  private enter(chunk: Buffer, from: number, at: number): number {
    this.rest.push(chunk.subarray(from, at + 1))
    this.inRecords = true
    return at + 1
  }

  private leave(chunk: Buffer, from: number, at: number, records: Buffer[]): number {
    this.takeRecord(chunk, from, at, records)
    this.inRecords = false
    return at
  }

  private takeRecord(chunk: Buffer, from: number, at: number, records: Buffer[]): void {
    const end = chunk.subarray(from, at)
    const record = trim(this.record.length === 0 ? end : Buffer.concat([...this.record, end]))
    this.record.length = 0
    if (record.length > 0) records.push(record)
  }
}

/** The next byte that means something outside of strings; the length if there is none. */
function findMark(chunk: Buffer, from: number): number {
  let at = from
  while (at < chunk.length && MARKS[chunk[at] as number] === 0) at++
  return at
}

/** The next byte that means something in a string. A place behind the end stays what it is. */
function findStringMark(chunk: Buffer, from: number): number {
  let at = from
  while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at++
  return at
}

/** Without the space that JSON allows around a value. */
function trim(bytes: Buffer): Buffer {
  let [from, to] = [0, bytes.length]
  while (from < to && (bytes[from] as number) <= SPACE) from++
  while (to > from && (bytes[to - 1] as number) <= SPACE) to--
  return bytes.subarray(from, to)
}
