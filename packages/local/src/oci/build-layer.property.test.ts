import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildLayer } from './build-layer.ts'
import { tempFolder, unpack } from './gen.ts'
import type { LayerEntry } from './layer-entry.ts'

const isRoot = process.getuid?.() === 0

const anyName = fc
  .oneof(
    { weight: 6, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }) },
    { weight: 1, arbitrary: fc.nat({ max: 240 }).map((length) => 'n'.repeat(length + 10)) },
    { weight: 1, arbitrary: fc.constantFrom('a', 'a-', 'a b', 'ä', '-rf', '*') }, // neighbours, traps for tar
  )
  .filter((name) => !/[/\0]/.test(name) && !/^\.{1,2}$/.test(name) && Buffer.byteLength(name) <= 255)

const anyPath = fc.array(anyName, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
const anyMode = fc.nat({ max: 0o7777 }).map((mode) => mode | 0o700) // ours to read again, also when not root
const anyOwner = fc.record({ uid: fc.nat({ max: 3_000_000 }), gid: fc.nat({ max: 3_000_000 }) })

const anyEntry: fc.Arbitrary<LayerEntry> = fc.oneof(
  fc
    .record({ path: anyPath, mode: anyMode, owner: anyOwner, content: fc.uint8Array({ maxLength: 1500 }) })
    .map(({ owner, ...entry }) => ({ ...entry, ...owner })),
  fc.record({ path: anyPath, mode: anyMode, kind: fc.constant('directory' as const) }),
  fc.record({ path: anyPath, kind: fc.constant('symlink' as const), target: anyPath }),
)

/** Entries that can lie side by side: none twice, none below anything but a folder. */
const anyEntries = fc.array(anyEntry, { maxLength: 12 }).map((entries) =>
  entries.filter(({ path }, position) =>
    entries.every((other, at) => {
      if (at === position) return true
      if (other.path === path) return position < at
      return !(path.startsWith(`${other.path}/`) && other.kind !== 'directory')
    }),
  ),
)

function expected(entry: LayerEntry): object {
  const owner = isRoot ? { uid: entry.uid ?? 0, gid: entry.gid ?? 0 } : {}
  if (entry.kind === 'symlink') return { ...owner, kind: 'symlink', target: entry.target }
  const common = { ...owner, mode: entry.mode?.toString(8), mtimeSeconds: 0 }
  if (entry.kind === 'directory') return { ...common, kind: 'directory' }
  return { ...common, kind: 'file', content: Buffer.from(entry.content as Uint8Array).toString('base64') }
}

test("whatever is packed, the system's tar unpacks the same", { timeout: 60_000 }, async () => {
  const folder = tempFolder()
  await fc.assert(
    fc.asyncProperty(anyEntries, async (entries) => {
      const { file } = await buildLayer({ entries }, { file: join(folder, 'layer.tar') })
      const unpacked = await unpack(file)
      for (const entry of entries) {
        const { path } = entry
        expect({ path, ...unpacked.get(path) }).toMatchObject({ path, ...expected(entry) })
      }
    }),
    { numRuns: 40 },
  )
})

test('the order of entries never changes the digest', async () => {
  const folder = tempFolder()
  await fc.assert(
    fc.asyncProperty(anyEntries, async (entries) => {
      const one = await buildLayer({ entries }, { file: join(folder, 'one.tar') })
      const other = await buildLayer({ entries: entries.toReversed() }, { file: join(folder, 'other.tar') })
      expect(other.digest).toBe(one.digest)
    }),
    { numRuns: 40 },
  )
})
