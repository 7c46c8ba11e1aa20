/**
 * The JSON documents of an image: configuration, manifest, index. Pure: the same image gives the same text.
 *
 * @module
 */
import { type Digest, digestOf } from './digest.ts'
import { ImageError } from './image-error.ts'
import type { Layer } from './build-layer.ts'

/** How a container of the image starts, unless the pod says otherwise. */
interface ImageConfig {
  readonly entrypoint?: readonly string[]
  readonly cmd?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly user?: string
  readonly workingDir?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly exposedPorts?: readonly `${number}/${'tcp' | 'udp'}`[]
}

/** One image of an archive. */
export interface Image {
  /** The whole name, with host and tag: `localhost/slurmd:26.05`. */
  readonly ref: string
  readonly config: ImageConfig
  /** From the lowest to the highest; images may share them. */
  readonly layers: readonly Layer[]
}

/** What images of one archive have in common. */
export interface Platform {
  readonly architecture: 'amd64' | 'arm64'
  /** 1970 by default, so that the time of building does not change the digest. */
  readonly created?: Date
}

/** A document and its name in the layout. */
export interface Document {
  readonly digest: Digest
  readonly text: string
}

/** Programs are found without an absolute path, as with any base image. */
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What the content of the image is and how it is started. */
export function buildConfig({ config, layers }: Image, { architecture, created = new Date(0) }: Platform): Document {
  const at = created.toISOString().replace('.000Z', 'Z')
  return documentOf({
    created: at,
    architecture,
    os: 'linux',
    config: runtimeConfig(config),
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(() => ({ created: at, created_by: 'packed from files' })), // one line per layer is required
  })
}

/** Which blobs make up the image. */
export function buildManifest(config: Document, layers: readonly Layer[]): Document {
  return documentOf({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: describe('application/vnd.oci.image.config.v1+json', config),
    layers: layers.map(({ mediaType, digest, size }) => ({ mediaType, digest, size })),
  })
}

/** Which images there are, with the annotation that containerd takes an image's name from. */
export function buildIndex(images: readonly { ref: string; manifest: Document }[], { architecture }: Platform): string {
  const manifests = images.map(({ ref, manifest }) => ({
    ...describe('application/vnd.oci.image.manifest.v1+json', manifest),
    platform: { architecture, os: 'linux' },
    annotations: { 'io.containerd.image.name': ref, 'org.opencontainers.image.ref.name': tagOf(ref) },
  }))
  const mediaType = 'application/vnd.oci.image.index.v1+json'
  return JSON.stringify({ schemaVersion: 2, mediaType, manifests })
}

function runtimeConfig(config: ImageConfig): object {
  const { entrypoint, cmd, env, user, workingDir, labels, exposedPorts } = config
  return {
    User: user,
    ExposedPorts: exposedPorts && Object.fromEntries(exposedPorts.map((port) => [port, {}])),
    Env: Object.entries({ PATH: DEFAULT_PATH, ...env }).map(([name, value]) => `${name}=${value}`),
    Entrypoint: entrypoint,
    Cmd: cmd,
    WorkingDir: workingDir,
    Labels: labels,
  }
}

function documentOf(value: object): Document {
  const text = JSON.stringify(value)
  return { digest: digestOf(text), text }
}

function describe(mediaType: string, { digest, text }: Document): object {
  return { mediaType, digest, size: Buffer.byteLength(text) }
}

const HOST = /^(?:localhost|[^/]*[.:][^/]*)\//
const TAG = /:([\w][\w.-]{0,127})$/

/** Without a host, containerd stores the image under this name and the kubelet looks for it under another one. */
function tagOf(ref: string): string {
  const advice = 'Write the whole name, such as localhost/slurmd:26.05.'
  if (!HOST.test(ref)) throw new ImageError(`name an image "${ref}"`, 'the host part is missing', advice)
  const tag = TAG.exec(ref)?.[1]
  if (tag === undefined) throw new ImageError(`name an image "${ref}"`, 'the tag is missing', advice)
  return tag
}
