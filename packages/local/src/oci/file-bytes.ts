import { type FileHandle, open } from 'node:fs/promises'
import { ImageError, explainFileError } from './image-error.ts'

/** Large enough that a root file system is not slowed down by its number of reads. */
export const CHUNK_BYTES = 1024 * 1024

/** The content of a file whose size has already been promised in a header: exactly so many bytes, or an error. */
export async function* fileBytes(file: string, size: number): AsyncGenerator<Uint8Array> {
  try {
    const handle = await open(file)
    try {
      yield* exactly(handle, file, size)
    } finally {
      await handle.close()
    }
  } catch (cause) {
    throw explainFileError(`read ${file}`, cause)
  }
}

async function* exactly(handle: FileHandle, file: string, size: number): AsyncGenerator<Uint8Array> {
  let left = size
  let isAtEnd = false
  while (!isAtEnd) {
    const wanted = Math.min(left + 1, CHUNK_BYTES) // one more than promised, to notice a file that grew
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted)
    if (bytesRead > left || (bytesRead === 0 && left > 0)) throw changed(file, size)
    left -= bytesRead
    isAtEnd = left === 0 && bytesRead < wanted
    if (bytesRead > 0) yield buffer.subarray(0, bytesRead)
  }
}

function changed(file: string, size: number): ImageError {
  const advice = 'Let nothing write to the files while they are packed, then try again.'
  return new ImageError(`read ${file}`, `it no longer has the ${size} bytes it had when it was listed`, advice)
}
