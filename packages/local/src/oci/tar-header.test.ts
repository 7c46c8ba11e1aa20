import { ftruncateSync, openSync, writeSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tar, tempFolder } from './gen.ts'
import { BLOCK_BYTES, padding, tarHeader } from './tar-header.ts'
import type { TarEntry } from './tar-entry.ts'

const GIB = 2 ** 30
const file = { path: 'file', kind: 'file', mode: 0o644, uid: 0, gid: 0, size: 0, content: Buffer.alloc(0) } as const

/** What tar lists for an entry. The content is a hole in the file, so that huge sizes cost nothing. */
async function listed(entry: TarEntry): Promise<string> {
  const archive = join(tempFolder(), 'archive.tar')
  const header = tarHeader(entry, 0)
  const size = 'size' in entry ? entry.size : 0
  const out = openSync(archive, 'w')
  writeSync(out, header)
  ftruncateSync(out, header.length + size + padding(size).length + 2 * BLOCK_BYTES)
  closeSync(out)
  return tar('-tvf', archive, '--numeric-owner', '--utc')
}

const accidents: readonly { name: string; entry: TarEntry; line: RegExp }[] = [
  {
    name: 'the largest size that fits the field is cut',
    entry: { ...file, size: 8 * GIB - 1 },
    line: /^-rw-r--r-- 0\/0 +8589934591 1970-01-01 00:00 file\n$/,
  },
  {
    name: 'a file of 8 GiB or more wraps around to a small one',
    entry: { ...file, size: 9 * GIB },
    line: /^-rw-r--r-- 0\/0 +9663676416 1970-01-01 00:00 file\n$/,
  },
  {
    name: 'owners of large sites become other people',
    entry: { ...file, uid: 2_097_151, gid: 2_097_152 },
    line: / 2097151\/2097152 /,
  },
  {
    name: 'an owner of four bytes is lost',
    entry: { ...file, uid: 4_294_967_294, gid: 3_000_000 },
    line: / 4294967294\/3000000 /,
  },
  { name: 'setuid, setgid and sticky are lost', entry: { ...file, mode: 0o7755 }, line: /^-rwsr-sr-t / },
  { name: 'a name of exactly 100 bytes is cut', entry: { ...file, path: 'x'.repeat(100) }, line: / x{100}\n$/ },
  { name: 'a name of 101 bytes is cut', entry: { ...file, path: 'x'.repeat(101) }, line: / x{101}\n$/ },
  {
    name: 'the slash of a folder pushes its name over the limit',
    entry: { ...file, kind: 'directory', path: 'd'.repeat(100) },
    line: / d{100}\/\n$/,
  },
  {
    name: 'the target of a link is cut',
    entry: { ...file, kind: 'symlink', path: 'l', target: `/${'t'.repeat(300)}` },
    line: / l -> \/t{300}\n$/,
  },
]

describe('the header prevents that', () => {
  for (const { name, entry, line } of accidents) {
    test(name, async () => expect(await listed(entry)).toMatch(line))
  }

  test('the length of a record is wrong when counting it makes it one digit longer', async () => {
    for (const length of [85, 86, 87, 88, 89, 90, 91, 980, 981, 982, 983, 984, 985, 986, 987, 988, 989]) {
      const name = 'é'.repeat(4) + 'n'.repeat(length)
      expect(await listed({ ...file, kind: 'symlink', path: 'l', target: name })).toContain(`l -> ${name}\n`)
    }
  })
})
