/**
 * The operator's two images in one archive. The same sources, Node and Debian packages give the same bytes, whenever and
 * wherever they are packed.
 *
 * @module
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Progress } from '../../packages/local/src/progress/progress.ts'
import { buildLayer, writeImageArchive, type Layer, type LayerEntry } from '../../packages/local/src/oci/index.ts'
import { ROOT } from '../project.ts'
import { architectureHere, findNode } from './find-node.ts'
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
  /** Of the processor; default: that of this machine. If it is named, files have it in their names. */
  readonly architecture?: Architecture | undefined
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
  mkdirSync(order.folder, { recursive: true })
  const work = mkdtempSync(join(order.folder, 'layers-')) // somebody else may build into the same folder
  try {
    return await packImages(order, work)
  } finally {
    rmSync(work, { recursive: true })
  }
}

async function packImages(order: ImageOrder, work: string): Promise<BuiltImages> {
  const { base, programs, differences } = await gatherParts(order)
  const pack = (name: string, entries: readonly LayerEntry[]): Promise<Layer> =>
    buildLayer({ entries }, { file: join(work, name), compression: order.compression })
  const lower = await pack('base', base)
  const images = await Promise.all(
    programs.map(async (parts) => ({ parts, upper: await pack(parts.image, programEntries(parts)) })),
  )
  const archive = join(order.folder, `slurm-operator-images${suffixOf(order)}.tar`)
  await writeImageArchive({
    file: archive,
    architecture: order.architecture ?? architectureHere(),
    images: images.map(({ parts, upper }) => describeImage(order, parts, [lower, upper])),
  })
  return {
    archive,
    bytes: statSync(archive).size,
    differences,
    images: images.map(({ parts, upper }) => reportImage(order, parts, lower.size + upper.size)),
  }
}

/** Everything that goes into the images. */
export async function gatherParts(order: Pick<ImageOrder, 'programs' | 'tag' | 'architecture' | 'progress'>) {
  const { programs, tag, progress, architecture = architectureHere() } = order
  const lock = readLock()
  const node = await findNode(architecture, progress)
  const libraries = await ensureLibraries(lock, architecture, progress)
  const base = baseEntries({
    architecture,
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

function reportImage(order: ImageOrder, { image, sbom, code }: ProgramParts, bytes: number) {
  const { folder, registry, tag } = order
  const file = join(folder, `${image}${suffixOf(order)}.cdx.json`)
  writeFileSync(file, sbom)
  return { ref: `${registry}/${image}:${tag}`, bytes, bundleBytes: code.length, sbom: file }
}

/** Images for several processors can lie in one folder. */
function suffixOf({ architecture }: Pick<ImageOrder, 'architecture'>): string {
  return architecture === undefined ? '' : `-${architecture}`
}
