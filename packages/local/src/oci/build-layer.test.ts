import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { buildLayer } from './build-layer.ts'
import { CHUNK_BYTES } from './file-bytes.ts'
import { lookAt, tar, tempFolder, unpack } from './gen.ts'

const LONG = `long/${'n'.repeat(120)}/${'o'.repeat(200)}/${'p'.repeat(255)}`

/** Everything that has ever gone wrong in an archive, in one tree. */
const parts: readonly ((root: string) => void)[] = [
  (root) => put(root, 'bin/su', 'program', 0o4755),
  (root) => put(root, 'etc/empty', ''),
  (root) => put(root, 'etc/größe 名前 🐧', 'unicode'),
  (root) => put(root, 'etc/new\nline \\x2d "quoted"', 'odd'),
  (root) => put(root, LONG, 'deep'),
  (root) => put(root, 'large', Buffer.alloc(2 * CHUNK_BYTES + 12_345, 'large ')),
  (root) => put(root, 'exact', Buffer.alloc(CHUNK_BYTES, 'exact')),
  (root) => mkdirSync(join(root, 'tmp'), { mode: 0o1777 }),
  (root) => symlinkSync(`/${LONG}/nowhere`, join(root, 'dangling')),
  (root) => symlinkSync('bin', join(root, 'sbin')),
  (root) => ['usa', 'us-', 'us/lib', 'usä', 'USER'].forEach((path) => put(root, path, 'sorted by bytes')),
]

function put(root: string, path: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
  chmodSync(join(root, path), mode)
}

/** A tree made of the parts in the given order, last changed at the given time. */
function makeTree(order = parts, changedAtSeconds = 1_000_000_000): string {
  const root = tempFolder()
  for (const make of order) make(root)
  chmodSync(join(root, 'tmp'), 0o1777) // whatever the umask took away
  linkSync(join(root, 'large'), join(root, 'etc/large-again'))
  for (const path of lookAt(root).keys()) {
    if (!['dangling', 'sbin'].includes(path)) utimesSync(join(root, path), changedAtSeconds, changedAtSeconds)
  }
  return root
}

function layerFile(): string {
  return join(tempFolder(), 'layer.tar')
}

function sha256(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}

describe('packing a tree', () => {
  test('an unpacked layer differs from what was packed', async () => {
    const tree = makeTree(parts, 0)
    const { file } = await buildLayer({ tree }, { file: layerFile() })
    const unpacked = await unpack(file)
    for (const [path, sight] of lookAt(tree)) {
      const expected = sight['kind'] === 'symlink' ? { ...sight, mtimeSeconds: 0 } : sight
      expect({ path, ...unpacked.get(path) }).toEqual({ path, ...expected })
    }
    expect(unpacked.size).toBe(lookAt(tree).size)
  })

  test('a second name of a file doubles the layer', async () => {
    const { file, size } = await buildLayer({ tree: makeTree() }, { file: layerFile() })
    expect(size).toBeLessThan(3.5 * CHUNK_BYTES)
    expect(await tar('-tvf', file)).toContain('large link to etc/large-again')
  })

  test('two builds of equal trees have different digests because of order or time', async () => {
    const one = await buildLayer({ tree: makeTree(parts, 1) }, { file: layerFile() })
    const other = await buildLayer({ tree: makeTree(parts.toReversed(), 2_000_000_000) }, { file: layerFile() })
    expect(readFileSync(other.file).equals(readFileSync(one.file))).toBe(true)
    expect(other.digest).toBe(one.digest)
  })

  test('changed content keeps its digest', async () => {
    const tree = makeTree()
    const before = await buildLayer({ tree }, { file: layerFile() })
    put(tree, 'bin/su', 'Program', 0o4755)
    expect((await buildLayer({ tree }, { file: layerFile() })).digest).not.toBe(before.digest)
  })

  test('changed permissions keep their digest', async () => {
    const tree = makeTree()
    const before = await buildLayer({ tree }, { file: layerFile() })
    chmodSync(join(tree, 'bin/su'), 0o755)
    expect((await buildLayer({ tree }, { file: layerFile() })).digest).not.toBe(before.digest)
  })

  test('entries come in an order that depends on the language of the machine', async () => {
    const { file } = await buildLayer({ tree: makeTree() }, { file: layerFile() })
    const names = (await tar('-tf', file)).split('\n')
    expect(names.filter((name) => /^us/i.test(name))).toEqual(['USER', 'us/', 'us/lib', 'us-', 'usa', 'usä'])
  })

  test('what the building machine runs gets into the image, or the folders to mount on do not', async () => {
    const tree = tempFolder()
    for (const name of ['proc/1/status', 'sys/kernel', 'dev/null', 'run/lock', 'var/run/kept', 'cache/a'])
      put(tree, name, '')
    const { file } = await buildLayer({ tree, exclude: ['cache'] }, { file: layerFile() })
    expect([...(await unpack(file)).keys()]).toEqual(['dev', 'proc', 'run', 'sys', 'var', 'var/run', 'var/run/kept'])
  })

  test('a fifo is read until somebody writes to it, or a socket breaks the build', async () => {
    const tree = tempFolder()
    execFileSync('sh', ['-c', 'mkfifo -m 640 "$0"', join(tree, 'fifo')])
    const server = createServer()
    await new Promise<void>((resolve) => void server.listen(join(tree, 'socket'), resolve))
    const { file } = await buildLayer({ tree }, { file: layerFile() })
    server.close()
    expect(await tar('-tvf', file)).toMatch(/^prw-r----- .* fifo\n$/)
  })
})

describe('packing with options', () => {
  test('the digest in the manifest is not that of the file', async () => {
    const { file, digest, diffId, size } = await buildLayer({ tree: makeTree() }, { file: layerFile() })
    expect({ digest, diffId, size }).toEqual({
      digest: sha256(readFileSync(file)),
      diffId: digest,
      size: statSync(file).size,
    })
  })

  test('a compressed layer tells when and where it was made, or cannot be traced to its content', async () => {
    const tree = makeTree()
    const plain = await buildLayer({ tree }, { file: layerFile() })
    const packed = await buildLayer({ tree }, { file: layerFile(), compression: 'gzip' })
    const bytes = readFileSync(packed.file)
    expect(packed).toMatchObject({ digest: sha256(bytes), size: bytes.length, diffId: plain.diffId })
    expect(packed.mediaType).toMatch(/\+gzip$/)
    expect([...bytes.subarray(4, 10)]).toEqual([0, 0, 0, 0, 0, 255])
    expect(gunzipSync(bytes).equals(readFileSync(plain.file))).toBe(true)
  })

  test('a wanted time of change is ignored', async () => {
    const entries = [{ path: 'a', content: '' }]
    const { file } = await buildLayer({ entries }, { file: layerFile(), mtimeSeconds: 86_400 })
    expect(await tar('-tvf', file, '--utc')).toContain('1970-01-02 00:00')
  })

  test('files of an ordinary user belong to that user in the image', async () => {
    const overrides = { '**': { uid: 0, gid: 0 }, 'spool/**': { uid: 401, gid: 401 }, 'spool/key': { mode: 0o600 } }
    const tree = tempFolder()
    for (const path of ['etc/passwd', 'spool/key']) put(tree, path, '')
    const { file } = await buildLayer({ tree, overrides }, { file: layerFile() })
    const lines = await tar('-tvf', file, '--numeric-owner')
    expect(lines).toMatch(/^-rw-r--r-- 0\/0 .* etc\/passwd$/m)
    expect(lines).toMatch(/^-rw------- 401\/401 .* spool\/key$/m)
  })

  test('two names of a file lose their different owners', async () => {
    const tree = tempFolder()
    put(tree, 'a', 'same')
    linkSync(join(tree, 'a'), join(tree, 'b'))
    const overrides = { a: { uid: 1, gid: 1 }, b: { uid: 2, gid: 2 } }
    const { file } = await buildLayer({ tree, overrides }, { file: layerFile() })
    expect(await tar('-tvf', file, '--numeric-owner')).toMatch(/ 1\/1 +4 .* a\n.* 2\/2 +4 .* b\n/)
  })

  test('generated files need a folder on disk first, or a parent that nobody listed has any mode', async () => {
    const program = join(tempFolder(), 'program')
    writeFileSync(program, 'x', { mode: 0o700 })
    const { file } = await buildLayer(
      {
        entries: [
          { path: '/etc/app/config', content: 'key', mode: 0o640, uid: 401, gid: 401 },
          { path: './bin/app', content: { file: program } },
          { path: 'tmp', kind: 'directory', mode: 0o1777 },
          { path: 'bin/sh', kind: 'symlink', target: 'app' },
        ],
      },
      { file: layerFile() },
    )
    expect((await tar('-tvf', file, '--numeric-owner', '--utc')).replace(/ +\d+ 1970-01-01 00:00/g, '')).toBe(
      [
        'drwxr-xr-x 0/0 bin/',
        '-rwxr-xr-x 0/0 bin/app',
        'lrwxrwxrwx 0/0 bin/sh -> app',
        'drwxr-xr-x 0/0 etc/',
        'drwxr-xr-x 0/0 etc/app/',
        '-rw-r----- 401/401 etc/app/config',
        'drwxrwxrwt 0/0 tmp/',
        '',
      ].join('\n'),
    )
  })

  test('a generated file does not replace the one of the tree', async () => {
    const tree = makeTree()
    const entries = [{ path: 'etc/empty', content: 'full' }]
    const { file } = await buildLayer({ tree, entries }, { file: layerFile() })
    expect(Buffer.from(String((await unpack(file)).get('etc/empty')?.['content']), 'base64').toString()).toBe('full')
  })
})

const refused = [
  {
    name: 'a path climbs out of the image',
    source: { entries: [{ path: '../etc/shadow', content: '' }] },
    error: /no path/,
  },
  { name: 'an entry without a name', source: { entries: [{ path: '/', content: '' }] }, error: /no path in an image/ },
  {
    name: 'which of two entries wins is chance',
    source: { entries: ['a', '/a'].map((path) => ({ path, content: '' })) },
    error: 'Cannot put a into a layer: it is listed twice. Remove one of the two.',
  },
  {
    name: 'a file is put below a link and lands elsewhere',
    source: {
      entries: [{ path: 'bin', kind: 'symlink', target: 'usr/bin' } as const, { path: 'bin/sh', content: '' }],
    },
    error: 'Cannot put bin/sh into a layer: bin is a symlink there. Use the real folder in the path.',
  },
  {
    name: 'an owner is set on a path with a typing error',
    source: { entries: [{ path: 'spool', content: '' }], overrides: { spol: { uid: 1 } } },
    error: 'Cannot set owner or mode of spol: the layer has no such path. Correct or remove the override.',
  },
  {
    name: 'a tree that is not there makes an empty image',
    source: { tree: '/no/such/tree' },
    error: /^Cannot pack \/no\/such/,
  },
  {
    name: 'a folder is packed as a file',
    source: { entries: [{ path: 'a', content: { file: '/' } }] },
    error: 'Cannot pack /: it is not a file. Name a file.',
  },
]

describe('a layer that cannot be right is refused, and nothing is left behind', () => {
  for (const { name, source, error } of refused) {
    test(name, async () => {
      const folder = tempFolder()
      await expect(buildLayer(source, { file: join(folder, 'layer.tar') })).rejects.toThrow(error)
      expect(readdirSync(folder)).toEqual([])
    })
  }

  test('a file that may not be read is packed as an empty one', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'needs root: it becomes another user for a moment')
    const tree = tempFolder()
    const folder = tempFolder()
    put(tree, 'secret', 'x', 0o600)
    for (const open of [tree, folder]) chmodSync(open, 0o777)
    process.seteuid?.(65_534)
    try {
      const building = buildLayer({ tree }, { file: join(folder, 'layer.tar') })
      await expect(building).rejects.toThrow(/^Cannot read .*secret: permission denied\. Run as a user that may read/)
    } finally {
      process.seteuid?.(0)
    }
    expect(readdirSync(folder)).toEqual([])
  })

  test('a forgotten mount is packed with the tree', async ({ skip }) => {
    skip(statSync('/dev').dev === statSync('/dev/pts').dev, 'needs a mount below /dev')
    const building = buildLayer({ tree: '/dev' }, { file: layerFile() })
    await expect(building).rejects.toThrow(/another file system is mounted there\. Unmount it/)
  })

  test('a name that is not UTF-8 comes out as another name', async () => {
    const tree = tempFolder()
    writeFileSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff, 0x41])]), '')
    await expect(buildLayer({ tree }, { file: layerFile() })).rejects.toThrow(/is not UTF-8\. Rename it\./)
  })

  test('a build that was called off leaves half a layer', async () => {
    const folder = tempFolder()
    const options = { file: join(folder, 'layer.tar'), signal: AbortSignal.abort() }
    await expect(buildLayer({ tree: makeTree() }, options)).rejects.toThrow(/abort/i)
    expect(readdirSync(folder)).toEqual([])
  })
})
