import type { TarEntry } from './tar-entry.ts'
import { fileBytes } from './file-bytes.ts'
import { BLOCK_BYTES, padding, tarHeader } from './tar-header.ts'

/** The archive as a stream: at no time is more than one chunk of one file in memory. */
export async function* tarBytes(entries: Iterable<TarEntry>, mtimeSeconds: number): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    yield tarHeader(entry, mtimeSeconds)
    if (entry.kind !== 'file' || entry.size === 0) continue
    if (entry.content instanceof Uint8Array) yield entry.content
    else yield* fileBytes(entry.content.file, entry.size)
    yield padding(entry.size)
  }
  yield Buffer.alloc(2 * BLOCK_BYTES) // two empty blocks end an archive
}
