import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Layer, buildLayer } from './build-layer.ts'
import { tar, tempFolder } from './gen.ts'
import type { Image } from './image-documents.ts'
import { writeImageArchive } from './write-image-archive.ts'

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
  readonly annotations?: Record<string, string>
  readonly platform?: object
}

async function someLayer(content = 'hello'): Promise<Layer> {
  return buildLayer({ entries: [{ path: 'greeting', content }] }, { file: join(tempFolder(), 'layer.tar') })
}

function imageOf(name: string, layers: readonly Layer[]): Image {
  return { ref: `localhost/${name}:26.05`, config: { entrypoint: ['tini', '-g', '--', name] }, layers }
}

/** Write an archive, unpack it, and read it as a container engine would: from the index downwards. */
async function writeAndRead(images: readonly Image[], more: { created?: Date } = {}) {
  const folder = tempFolder()
  const file = join(folder, 'images.tar')
  await writeImageArchive({ file, architecture: 'arm64', images, ...more })
  await tar('-xf', file, '-C', folder)
  const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'))
  const blob = ({ digest }: Descriptor) => `blobs/${digest.replace(':', '/')}`
  const descriptors: Descriptor[] = read('index.json').manifests
  const manifests = descriptors.map((one) => read(blob(one)) as { config: Descriptor; layers: Descriptor[] })
  const configs = manifests.map(({ config }) => read(blob(config)))
  return { file, folder, layout: read('oci-layout'), descriptors, manifests, configs, blob }
}

describe('an archive of images', () => {
  test('containerd does not find the names, or the platform is another', async () => {
    const layer = await someLayer()
    const { layout, descriptors } = await writeAndRead([imageOf('slurmd', [layer]), imageOf('login', [layer])])
    expect(layout).toEqual({ imageLayoutVersion: '1.0.0' })
    expect(descriptors.map(({ annotations }) => annotations)).toEqual([
      { 'io.containerd.image.name': 'localhost/slurmd:26.05', 'org.opencontainers.image.ref.name': '26.05' },
      { 'io.containerd.image.name': 'localhost/login:26.05', 'org.opencontainers.image.ref.name': '26.05' },
    ])
    expect(descriptors.map(({ platform }) => platform)).toContainEqual({ architecture: 'arm64', os: 'linux' })
  })

  test('a digest or size does not fit its blob, or a blob belongs to nothing', async () => {
    const layers = [await someLayer('a'), await someLayer('b')]
    const { folder, descriptors, manifests, blob } = await writeAndRead([imageOf('slurmd', layers)])
    const all = [...descriptors, ...manifests.flatMap(({ config, layers }) => [config, ...layers])]
    for (const descriptor of all) {
      const bytes = readFileSync(join(folder, blob(descriptor)))
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
      expect({ digest, size: bytes.length }).toMatchObject({ digest: descriptor.digest, size: descriptor.size })
    }
    expect(readdirSync(join(folder, 'blobs/sha256')).length).toBe(all.length)
  })

  test('seven images on one layer are seven times as large', async () => {
    const layer = await someLayer('x'.repeat(200_000))
    const names = ['slurmctld', 'slurmd', 'slurmdbd', 'slurmrestd', 'sackd', 'login', 'mariadb']
    const { file } = await writeAndRead(names.map((name) => imageOf(name, [layer])))
    expect(statSync(file).size).toBeLessThan(250_000)
  })

  test('a field of the configuration is lost or misspelt', async () => {
    const layer = await someLayer()
    const config = {
      entrypoint: ['tini', '--'],
      cmd: ['run'],
      env: { SLURM_VERSION: '26.05', EMPTY: '' },
      user: '401:401',
      workingDir: '/tmp',
      labels: { role: 'slurmctld' },
      exposedPorts: ['6817/tcp'],
    } as const
    const { configs } = await writeAndRead([{ ref: 'localhost/slurmctld:1', config, layers: [layer] }])
    expect(configs[0]).toEqual({
      created: '1970-01-01T00:00:00Z',
      architecture: 'arm64',
      os: 'linux',
      config: {
        User: '401:401',
        ExposedPorts: { '6817/tcp': {} },
        Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'SLURM_VERSION=26.05', 'EMPTY='],
        Entrypoint: ['tini', '--'],
        Cmd: ['run'],
        WorkingDir: '/tmp',
        Labels: { role: 'slurmctld' },
      },
      rootfs: { type: 'layers', diff_ids: [layer.diffId] },
      history: [{ created: '1970-01-01T00:00:00Z', created_by: 'packed from files' }],
    })
  })

  test('an image shows a wrong time of creation', async () => {
    const created = new Date('2026-11-15T10:00:00Z')
    const { configs } = await writeAndRead([imageOf('slurmd', [await someLayer()])], { created })
    expect(configs[0].created).toBe('2026-11-15T10:00:00Z')
  })

  test('the same images give different archives', async () => {
    const one = await writeAndRead([imageOf('slurmd', [await someLayer()])])
    const other = await writeAndRead([imageOf('slurmd', [await someLayer()])])
    expect(readFileSync(other.file).equals(readFileSync(one.file))).toBe(true)
  })
})

describe('an archive that cannot be right is not written', () => {
  const accidents: readonly { name: string; spoil: (layer: Layer) => readonly Image[]; error: RegExp }[] = [
    {
      name: 'a layer was deleted from the cache',
      spoil: (layer) => (rmSync(layer.file), [imageOf('slurmd', [layer])]),
      error: /^Cannot read .*layer\.tar: it is not there/,
    },
    {
      name: 'a layer was cut short',
      spoil: (layer) => (truncateSync(layer.file, 700), [imageOf('slurmd', [layer])]),
      error: /no longer has the \d+ bytes/,
    },
    {
      name: 'two images share a name, and one disappears',
      spoil: (layer) => [imageOf('slurmd', [layer]), imageOf('slurmd', [layer])],
      error: /another image of the archive has the same name/,
    },
    {
      name: 'an image without a layer cannot be unpacked',
      spoil: () => [imageOf('slurmd', [])],
      error: /has no layer/,
    },
    {
      name: 'the kubelet looks for a name without host elsewhere',
      spoil: (layer) => [{ ...imageOf('', [layer]), ref: 'team/slurmd:1' }],
      error: /^Cannot name an image "team\/slurmd:1": the host part is missing\. Write the whole name/,
    },
    {
      name: 'the port of a host is taken for a tag',
      spoil: (layer) => [{ ...imageOf('', [layer]), ref: 'localhost:5000/slurmd' }],
      error: /the tag is missing/,
    },
  ]
  for (const { name, spoil, error } of accidents) {
    test(name, async () => {
      const folder = tempFolder()
      const images = spoil(await someLayer())
      const writing = writeImageArchive({ file: join(folder, 'images.tar'), architecture: 'amd64', images })
      await expect(writing).rejects.toThrow(error)
      expect(readdirSync(folder)).toEqual([])
    })
  }

  test('a failed write destroys the archive that was there before', async () => {
    const { file } = await writeAndRead([imageOf('slurmd', [await someLayer()])])
    const before = readFileSync(file)
    const writing = writeImageArchive({ file, architecture: 'amd64', images: [imageOf('login', [])] })
    await expect(writing).rejects.toThrow(/has no layer/)
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})
