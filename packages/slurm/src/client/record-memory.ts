/**
 * Lists of thousands of records come every second, and hardly any of them has changed. Those that are byte for byte as
 * they were in the last list are not read again, and are the very same objects as before.
 *
 * @module
 */
import { hash } from 'node:crypto'
import type { ApiVersion } from '../model/api-version.ts'
import type { Records } from '../model/records.ts'

/** What is known while one list is read. */
interface ListMemory<T> {
  /** What these bytes say: remembered, or else read anew. */
  readonly read: (record: Uint8Array, readAnew: () => Records<T>) => Records<T>
  /** The list is whole: the next one is compared with it. */
  readonly keep: () => void
}

/** Begin to read a list, of which there may be no memory: not all come again and again. */
export function beginList<T>(memory: RecordMemory<T> | undefined, version: ApiVersion): ListMemory<T> {
  return memory?.begin(version) ?? { read: (_record, readAnew) => readAnew(), keep: () => {} }
}

/** The last list of one kind, by the digests of its records. */
export class RecordMemory<T> {
  private last: ReadonlyMap<string, Records<T>> = new Map()
  private version: ApiVersion | undefined

  /** Begin to read a list. Another REST version may say the same in other words, so nothing of it is remembered. */
  begin(version: ApiVersion): ListMemory<T> {
    const last = version === this.version ? this.last : new Map<string, Records<T>>()
    const next = new Map<string, Records<T>>()
    return {
      read: (record, readAnew) => {
        const digest = hash('sha256', record, 'base64')
        const known = last.get(digest) ?? readAnew()
        next.set(digest, known)
        return known
      },
      keep: () => {
        this.last = next
        this.version = version
      },
    }
  }
}
