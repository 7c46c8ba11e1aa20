import type { WriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Overrides, arrangeEntries } from './arrange-entries.ts'
import { type Digest, Tally } from './digest.ts'
import { type LayerEntry, resolveEntry } from './layer-entry.ts'
import { matchesAny } from './path-pattern.ts'
import { scanTree } from './scan-tree.ts'
import { tarBytes } from './tar-bytes.ts'
import type { TarEntry } from './tar-entry.ts'
import { writeWhole } from './write-whole.ts'

/** A finished layer: a file, and what images need to know about it. */
export interface Layer {
  readonly file: string
  readonly mediaType: 'application/vnd.oci.image.layer.v1.tar' | 'application/vnd.oci.image.layer.v1.tar+gzip'
  readonly digest: Digest
  readonly size: number
  /** The digest before compression. */
  readonly diffId: Digest
}

/** What goes into a layer: a folder, single entries, or both; entries win. */
export interface LayerSource {
  readonly tree?: string
  /** Paths or globs to leave out of the tree, with everything below them. */
  readonly exclude?: readonly string[]
  readonly entries?: readonly LayerEntry[]
  readonly overrides?: Overrides
}

/** How a layer is written. */
export interface LayerOptions {
  readonly file: string
  /**
   * None by default: layers that stay on one machine are only slowed down by it. With gzip the digest is the same only
   * for the same zlib, that is, the same Node and kind of processor; `diffId` is the same everywhere.
   */
  readonly compression?: 'none' | 'gzip'
  /** The one time of change of all entries; 1970 by default. */
  readonly mtimeSeconds?: number
  readonly signal?: AbortSignal
}

/** What a running container or machine puts there; the folders themselves stay, as places to mount on. */
const contentOfTheMachine = ['proc/*', 'sys/*', 'dev/*', 'run/*']

/** Pack a layer. The same source gives the same bytes, and a layer that fails leaves nothing behind. */
export async function buildLayer(source: LayerSource, options: LayerOptions): Promise<Layer> {
  const entries = await gatherEntries(source)
  return writeWhole(options.file, (out) => {
    const plain = new Tally()
    const bytes = plain.count(tarBytes(entries, options.mtimeSeconds ?? 0))
    return options.compression === 'gzip' ? storeGzip(bytes, plain, out, options) : store(bytes, plain, out, options)
  })
}

async function gatherEntries({ tree, exclude = [], entries = [], overrides = {} }: LayerSource): Promise<TarEntry[]> {
  const isExcluded = matchesAny([...contentOfTheMachine, ...exclude])
  const scanned = tree === undefined ? [] : await scanTree(tree, isExcluded)
  return arrangeEntries(scanned, await Promise.all(entries.map(resolveEntry)), overrides)
}

type Bytes = AsyncIterable<Uint8Array>

async function store(bytes: Bytes, plain: Tally, out: WriteStream, { file, signal }: LayerOptions): Promise<Layer> {
  await pipeline(bytes, out, signal ? { signal } : {})
  const digest = plain.digest()
  return { file, mediaType: 'application/vnd.oci.image.layer.v1.tar', digest, size: plain.size, diffId: digest }
}

async function storeGzip(bytes: Bytes, plain: Tally, out: WriteStream, { file, signal }: LayerOptions): Promise<Layer> {
  const packed = new Tally()
  const tally = (chunks: Bytes): Bytes => packed.count(withoutSystem(chunks))
  await pipeline(bytes, createGzip(), tally, out, signal ? { signal } : {})
  const { size } = packed
  const mediaType = 'application/vnd.oci.image.layer.v1.tar+gzip'
  return { file, mediaType, digest: packed.digest(), size, diffId: plain.digest() }
}

/** Byte 9 of a gzip file names the system that packed it, which is nobody's business: 255 is "unknown". */
async function* withoutSystem(chunks: Bytes): AsyncGenerator<Uint8Array> {
  let offset = 0
  for await (const chunk of chunks) {
    if (offset <= 9 && 9 < offset + chunk.length) chunk[9 - offset] = 255
    offset += chunk.length
    yield chunk
  }
}
