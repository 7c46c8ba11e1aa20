import { randomUUID } from 'node:crypto'
import { type WriteStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { explainFileError } from './image-error.ts'

/** A file that is either there and complete or not there: written under another name, renamed at the end. */
export async function writeWhole<T>(file: string, write: (out: WriteStream) => Promise<T>): Promise<T> {
  const part = `${file}.${randomUUID()}.part`
  try {
    await mkdir(dirname(file), { recursive: true })
    const result = await write(createWriteStream(part, { flags: 'wx' }))
    await rename(part, file)
    return result
  } catch (cause) {
    await rm(part, { force: true })
    throw explainFileError(`write ${file}`, cause)
  }
}
