/**
 * Cuts one array out of a JSON object while its bytes arrive.
 *
 * A list of 10,000 nodes is 26 MB of text and far more as objects. Cut like this, each record is parsed, mapped to our
 * small model and forgotten before the next one; neither the text nor the raw objects ever exist as a whole, and
 * the work is spread over the arrival of the chunks. What remains outside the array is a small object.
 *
 * @module
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/** Cuts the array under one key of the outermost object. The records come as JSON text, whole and in order. */
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

  /** Feed the next bytes; returns the records that became complete, as JSON text. */
  push(bytes: Uint8Array): string[] {
    const chunk = Buffer.from(bytes) // a copy: whoever sent it may use its memory again
    const records: string[] = []
    let from = 0 // where the piece that is being collected begins in this chunk
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (this.inString) this.stepInString(byte)
      else if (byte === QUOTE) this.inString = true
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.open()
        if (byte === OPEN_ARRAY && this.depth === 2 && this.isAfterKey(chunk, from, at))
          from = this.enter(chunk, from, at)
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (this.inRecords && this.depth === 2) from = this.leave(chunk, from, at, records)
        this.depth--
      } else if (byte === COMMA && this.inRecords && this.depth === 2) {
        this.takeRecord(chunk, from, at, records)
        from = at + 1
      }
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

  private stepInString(byte: number): void {
    if (this.escaped) this.escaped = false
    else if (byte === BACKSLASH) this.escaped = true
    else if (byte === QUOTE) this.inString = false
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

  private leave(chunk: Buffer, from: number, at: number, records: string[]): number {
    this.takeRecord(chunk, from, at, records)
    this.inRecords = false
    return at
  }

  private takeRecord(chunk: Buffer, from: number, at: number, records: string[]): void {
    this.record.push(chunk.subarray(from, at))
    const text = Buffer.concat(this.record).toString('utf8').trim()
    this.record.length = 0
    if (text !== '') records.push(text)
  }
}
