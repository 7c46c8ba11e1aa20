import { appendFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHUNK_BYTES } from './file-bytes.ts'
import { tempFolder } from './gen.ts'
import { scanTree } from './scan-tree.ts'
import { tarBytes } from './tar-bytes.ts'

/** Pack a folder with one file, to which something happens between listing and reading. */
async function packWhile(happens: (file: string) => void, size: number): Promise<number> {
  const tree = tempFolder()
  const file = join(tree, 'file')
  writeFileSync(file, Buffer.alloc(size))
  const entries = await scanTree(tree, () => false)
  happens(file)
  let bytes = 0
  for await (const chunk of tarBytes(entries, 0)) bytes += chunk.length
  return bytes
}

const sizes = [1, 511, 512, 513, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES]

describe('a file that changes while it is packed shifts everything behind it', () => {
  for (const size of sizes) {
    test(`${size} bytes, unchanged: whole blocks`, async () => {
      expect(await packWhile(() => {}, size)).toBe(512 + Math.ceil(size / 512) * 512 + 1024)
    })
    test(`${size} bytes, one more`, async () => {
      await expect(packWhile((file) => appendFileSync(file, 'x'), size)).rejects.toThrow(/no longer has the \d+ bytes/)
    })
    test(`${size} bytes, one less`, async () => {
      await expect(packWhile((file) => truncateSync(file, size - 1), size)).rejects.toThrow(/Let nothing write/)
    })
  }

  test('a file that vanishes', async () => {
    await expect(packWhile(rmSync, 10)).rejects.toThrow(
      /^Cannot read .*file: it is not there \(any more\)\. Check the path/,
    )
  })
})
