/**
 * The operator's two images in one archive. The same sources, Node and Debian packages give the same bytes, whenever and
 * wherever they are packed.
 *
 * @module
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Progress } from '../../packages/local/src/progress/progress.ts'
import { buildLayer, writeImageArchive, type Layer, type LayerEntry } from '../../packages/local/src/oci/index.ts'
import { ROOT } from '../project.ts'
import { baseEntries, NODE_PATH, NONROOT, type Architecture } from './base-entries.ts'
import { bundleProgram } from './bundle.ts'
import { ensureLibraries, readLock, type DebianLibraries } from './debian-libraries.ts'
import { differencesFrom, type PackageLock } from './debian-packages.ts'
import type { OperatorProgram } from './operator-programs.ts'
import { buildSbom } from './sbom.ts'

/** What to build. */
export interface ImageOrder {
  readonly programs: readonly OperatorProgram[]
  /** Where the archive and the lists of contents go. */
  readonly folder: string
  /** The part of the names before the last slash. */
  readonly registry: string
  readonly tag: string
  readonly compression: 'none' | 'gzip'
  readonly progress: Progress
}

/** What was built. */
export interface BuiltImages {
  readonly archive: string
  readonly bytes: number
  readonly images: readonly BuiltImage[]
  /** Debian packages that are not those of the lock: the image is fine, but not the one that was published. */
  readonly differences: readonly string[]
}

interface BuiltImage {
  readonly ref: string
  /** Sum of the layers. */
  readonly bytes: number
  readonly bundleBytes: number
  readonly sbom: string
}

/** An image as a list of files, before it is packed. */
interface ImageParts {
  readonly base: readonly LayerEntry[]
  readonly programs: readonly ProgramParts[]
  readonly differences: readonly string[]
}

interface ProgramParts extends OperatorProgram {
  readonly code: Uint8Array
  readonly sbom: string
}

/** Build and write. Everything that is not the result is removed again. */
export async function buildOperatorImages(order: ImageOrder): Promise<BuiltImages> {
  const work = join(order.folder, 'layers')
  mkdirSync(work, { recursive: true })
  const { base, programs, differences } = await gatherParts(order)
  const pack = (name: string, entries: readonly LayerEntry[]): Promise<Layer> =>
    buildLayer({ entries }, { file: join(work, name), compression: order.compression })
  const lower = await pack('base', base)
  const images = await Promise.all(
    programs.map(async (parts) => ({ parts, upper: await pack(parts.image, programEntries(parts)) })),
  )
  const archive = join(order.folder, 'slurm-operator-images.tar')
  await writeImageArchive({
    file: archive,
    architecture: architectureHere(),
    images: images.map(({ parts, upper }) => describeImage(order, parts, [lower, upper])),
  })
  rmSync(work, { recursive: true })
  return {
    archive,
    bytes: statSync(archive).size,
    differences,
    images: images.map(({ parts, upper }) => reportImage(order, parts, lower.size + upper.size)),
  }
}

/** Everything that goes into the images. */
export async function gatherParts({ programs, tag, progress }: Pick<ImageOrder, 'programs' | 'tag' | 'progress'>) {
  const lock = readLock()
  const node = findNode()
  const libraries = await ensureLibraries(lock, architectureHere(), progress)
  const base = baseEntries({
    architecture: architectureHere(),
    node: join(node.folder, 'bin/node'),
    nodeLicense: join(node.folder, 'LICENSE'),
    packageRoot: libraries.root,
    packages: libraries.packages,
    suite: lock.suite,
  })
  const built = await Promise.all(
    programs.map((program) => buildProgram(program, { tag, lock, libraries, nodeVersion: node.version })),
  )
  const parts: ImageParts = { base, programs: built, differences: differencesFrom(lock, libraries.packages) }
  return parts
}

interface Ingredients {
  readonly tag: string
  readonly lock: PackageLock
  readonly libraries: DebianLibraries
  readonly nodeVersion: string
}

async function buildProgram(program: OperatorProgram, ingredients: Ingredients): Promise<ProgramParts> {
  const { tag, lock, libraries, nodeVersion } = ingredients
  const bundle = await bundleProgram(ROOT, program.entry, NODE_PATH)
  const sbom = buildSbom({
    image: program.image,
    version: tag,
    nodeVersion,
    suite: lock.suite,
    packages: libraries.packages,
    libraries: bundle.libraries,
  })
  return { ...program, code: bundle.code, sbom }
}

/** The files of one program: itself, and the list of what the image is made of. */
export function programEntries({ path, code, sbom, image }: ProgramParts): LayerEntry[] {
  return [
    { path, mode: 0o755, content: code },
    { path: `/usr/share/sbom/${image}.cdx.json`, content: sbom },
  ]
}

function describeImage({ registry, tag }: ImageOrder, { image, path, ports }: ProgramParts, layers: readonly Layer[]) {
  const labels = {
    'org.opencontainers.image.title': image,
    'org.opencontainers.image.version': tag,
    'org.opencontainers.image.licenses': 'Apache-2.0',
  }
  const config = { entrypoint: [path], user: `${NONROOT}:${NONROOT}`, workingDir: '/', labels, exposedPorts: ports }
  return { ref: `${registry}/${image}:${tag}`, layers, config }
}

function reportImage({ folder, registry, tag }: ImageOrder, { image, sbom, code }: ProgramParts, bytes: number) {
  const file = join(folder, `${image}.cdx.json`)
  writeFileSync(file, sbom)
  return { ref: `${registry}/${image}:${tag}`, bytes, bundleBytes: code.length, sbom: file }
}

function architectureHere(): Architecture {
  if (process.platform === 'linux' && process.arch === 'x64') return 'amd64'
  if (process.platform === 'linux' && process.arch === 'arm64') return 'arm64'
  throw new Error(
    `Cannot build images on ${process.platform} ${process.arch}: they hold the Node of this machine. Use Linux on x64 or arm64.`,
  )
}

/** The Node of the project, from its npm package. */
function findNode(): { readonly folder: string; readonly version: string } {
  const folder = join(ROOT, 'node_modules', `node-linux-${process.arch}`)
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { folder, version }
  } catch (cause) {
    throw new Error(`Cannot find the Node of the images in ${folder}. Run npm ci.`, { cause })
  }
}
