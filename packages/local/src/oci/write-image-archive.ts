import { pipeline } from 'node:stream/promises'
import { arrangeEntries } from './arrange-entries.ts'
import type { Layer } from './build-layer.ts'
import type { Digest } from './digest.ts'
import { type Document, type Image, type Platform, buildConfig, buildIndex, buildManifest } from './image-documents.ts'
import { ImageError } from './image-error.ts'
import { tarBytes } from './tar-bytes.ts'
import type { TarEntry } from './tar-entry.ts'
import { writeWhole } from './write-whole.ts'

/** An archive to be written. */
export interface ArchiveRequest extends Platform {
  readonly file: string
  readonly images: readonly Image[]
  readonly signal?: AbortSignal
}

/** Write images as one tar in OCI layout, ready for `ctr images import`. A shared layer is stored once. */
export async function writeImageArchive(request: ArchiveRequest): Promise<void> {
  const { file, signal } = request
  const entries = arrangeEntries([], buildLayout(request), {})
  await writeWhole(file, (out) => pipeline(tarBytes(entries, 0), out, signal ? { signal } : {}))
}

/** The files of the layout. */
function buildLayout({ images, ...platform }: ArchiveRequest): TarEntry[] {
  images.forEach(refuseImpossible)
  const built = images.map((image) => ({ ...image, ...buildDocuments(image, platform) }))
  const blobs = new Map<Digest, TarEntry>()
  for (const { config, manifest, layers } of built) {
    for (const document of [config, manifest]) blobs.set(document.digest, textEntry(blobPath(document), document.text))
    for (const layer of layers) blobs.set(layer.digest, layerEntry(layer))
  }
  const index = buildIndex(built, platform)
  const layout = JSON.stringify({ imageLayoutVersion: '1.0.0' })
  return [textEntry('oci-layout', layout), textEntry('index.json', index), ...blobs.values()]
}

function buildDocuments(image: Image, platform: Platform): { config: Document; manifest: Document } {
  const config = buildConfig(image, platform)
  return { config, manifest: buildManifest(config, image.layers) }
}

function refuseImpossible({ ref, layers }: Image, position: number, all: readonly Image[]): void {
  const action = `write the image ${ref}`
  if (layers.length === 0) throw new ImageError(action, 'it has no layer', 'Give it at least one.')
  const isRepeated = all.findIndex((image) => image.ref === ref) < position
  if (isRepeated) throw new ImageError(action, 'another image of the archive has the same name', 'Rename one of them.')
}

function blobPath({ digest }: { readonly digest: Digest }): string {
  return `blobs/${digest.replace(':', '/')}`
}

const owner = { mode: 0o644, uid: 0, gid: 0 } as const

function textEntry(path: string, text: string): TarEntry {
  const content = Buffer.from(text)
  return { ...owner, path, kind: 'file', size: content.length, content }
}

/** With the size the layer had when it was built: one that was cut short since then must not get into an archive. */
function layerEntry(layer: Layer): TarEntry {
  return { ...owner, path: blobPath(layer), kind: 'file', size: layer.size, content: { file: layer.file } }
}
