/** Whole images from real Debian packages, unpacked and started. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { progressToStderr } from '../../packages/local/src/progress/progress.ts'
import type { LayerEntry } from '../../packages/local/src/oci/index.ts'
import { architectures, NODE_PATH } from './base-entries.ts'
import { buildOperatorImages, gatherParts, programEntries, type BuiltImages } from './build-operator-images.ts'
import { operatorPrograms } from './operator-programs.ts'
import { writeTree } from './write-tree.ts'

const programs = operatorPrograms.filter(({ image }) => image === 'slurm-operator-webhook')
const common = {
  programs,
  registry: 'example.com/x',
  tag: 'test',
  compression: 'none',
  progress: progressToStderr(),
} as const
let folder: string
let built: BuiltImages

beforeAll(async () => {
  for (const architecture of architectures) await gatherParts({ ...common, architecture, programs: [] }) // fetched once
  folder = mkdtempSync(join(tmpdir(), 'images-'))
  built = await buildOperatorImages({ ...common, folder: join(folder, 'one') })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** As the format of programs counts kinds of processors. */
const machineNumbers = { amd64: 0x3e, arm64: 0xb7 } as const

type Content = Extract<LayerEntry, { readonly content: unknown }>['content']

/** For which processor a file is; undefined if it is no program. */
function machineOf(content: Content): number | undefined {
  if (typeof content !== 'object' || !('file' in content)) return undefined
  const bytes = readFileSync(content.file)
  return bytes.toString('latin1', 0, 4) === '\x7fELF' ? bytes.readUInt16LE(18) : undefined
}

const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

describe('building images prevents that', () => {
  test('two builds of the same sources are two different images', async () => {
    const again = await buildOperatorImages({ ...common, folder: join(folder, 'two') })
    expect(digestOf(again.archive)).toBe(digestOf(built.archive))
    expect(readFileSync(again.images[0]?.sbom ?? '')).toEqual(readFileSync(built.images[0]?.sbom ?? ''))
    console.log(`${built.images[0]?.ref}: ${((built.images[0]?.bytes ?? 0) / 1e6).toFixed(1)} MB`)
  })

  test('the image starts as root, or with another command', () => {
    const layout = join(folder, 'layout')
    mkdirSync(layout)
    spawnSync('tar', ['xf', built.archive, '-C', layout])
    const blob = (digest: string): unknown =>
      JSON.parse(readFileSync(join(layout, 'blobs/sha256', digest.replace('sha256:', '')), 'utf8'))
    const index = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as { manifests: { digest: string }[] }
    const manifest = blob(index.manifests[0]?.digest ?? '') as { config: { digest: string } }
    const { config } = blob(manifest.config.digest) as { config: object }
    expect(config).toMatchObject({ User: '65532:65532', Entrypoint: ['/webhook'], WorkingDir: '/' })
  })

  test.for(architectures)('an image for %s holds programs for another processor', async (architecture) => {
    const { base } = await gatherParts({ ...common, architecture })
    const machines = base.flatMap(({ path, ...entry }) =>
      'content' in entry ? [[path, machineOf(entry.content)]] : [],
    )
    const programs = machines.filter(([path, machine]) => path === NODE_PATH || machine !== undefined)
    expect(programs.length).toBeGreaterThan(10)
    expect(programs.filter(([, machine]) => machine !== machineNumbers[architecture])).toEqual([])
  })

  test('it needs a shell, or something of the machine it was built on', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root can make a folder the root of a process')
    const root = join(folder, 'root')
    const parts = await gatherParts(common)
    writeTree([...parts.base, ...parts.programs.flatMap(programEntries)], root)
    expect(readdirSync(join(root, 'usr/bin'))).toEqual(['node'])
    const chroot = ['/usr/sbin/chroot', '--userspec=65532:65532', root, '/webhook', '--help']
    const { status, stdout } = spawnSync(chroot[0] ?? '', chroot.slice(1), {
      env: {},
      encoding: 'utf8',
      timeout: 30_000,
    })
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^Usage of webhook:/) })
  })
})
