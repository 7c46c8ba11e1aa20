/**
 * What both images have below their program: Node, the libraries it is linked with, and the few files a C library
 * wants to see. No shell, no package manager, nothing that can be written.
 *
 * @module
 */
import { existsSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { LayerEntry } from '../../packages/local/src/oci/index.ts'
import type { FetchedPackage } from './debian-packages.ts'

/** The user of both images: distroless has it too, so volumes and policies that people wrote go on working. */
export const NONROOT = 65532

/** Where Node is in the image. */
export const NODE_PATH = '/usr/bin/node'

const platforms = {
  amd64: { triplet: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2', loaderFolder: 'lib64' },
  arm64: { triplet: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1', loaderFolder: 'lib' },
} as const

/** What Node is linked with, and what the C library loads by itself when names are looked up. */
const libraries = [
  ...['libc.so.6', 'libm.so.6', 'libdl.so.2', 'libpthread.so.0', 'librt.so.1', 'libresolv.so.2'],
  ...['libnss_dns.so.2', 'libnss_files.so.2', 'libstdc++.so.6', 'libgcc_s.so.1'],
]

/** A kind of processor. */
export type Architecture = keyof typeof platforms

/** All of them. */
export const architectures = Object.keys(platforms) as readonly Architecture[]

/** What the lower layer is made from. */
export interface BaseParts {
  readonly architecture: Architecture
  readonly node: string
  readonly nodeLicense: string
  /** The unpacked packages. */
  readonly packageRoot: string
  readonly packages: readonly FetchedPackage[]
  readonly suite: string
}

/** The entries of the lower layer. */
export function baseEntries(parts: BaseParts): LayerEntry[] {
  return [
    { path: NODE_PATH, mode: 0o755, content: { file: parts.node } },
    { path: '/usr/share/doc/node/copyright', content: { file: parts.nodeLicense } },
    ...libraryEntries(parts),
    ...parts.packages.flatMap((one) => packageEntries(one, parts.packageRoot)),
    ...systemEntries(parts.suite),
  ]
}

/** Each library under the one name by which it is asked for. */
function libraryEntries({ architecture, packageRoot }: BaseParts): LayerEntry[] {
  const { triplet, loader, loaderFolder } = platforms[architecture]
  const folder = `usr/lib/${triplet}`
  const copy = (name: string): LayerEntry => {
    const file = findFile(packageRoot, [`${folder}/${name}`, `lib/${triplet}/${name}`])
    return { path: `/${folder}/${name}`, mode: 0o755, content: { file } }
  }
  return [
    ...libraries.map(copy),
    copy(loader),
    { path: '/lib', kind: 'symlink', target: 'usr/lib' },
    ...(loaderFolder === 'lib64' ? [{ path: '/lib64', kind: 'symlink', target: 'usr/lib64' } as const] : []),
    { path: `/usr/${loaderFolder}/${loader}`, kind: 'symlink', target: `${upFrom(loaderFolder, triplet)}/${loader}` },
  ]
}

function upFrom(loaderFolder: string, triplet: string): string {
  return loaderFolder === 'lib64' ? `../lib/${triplet}` : triplet
}

function findFile(root: string, candidates: readonly string[]): string {
  const found = candidates.map((path) => join(root, path)).find((path) => existsSync(path))
  if (found !== undefined) return realpathSync(found)
  throw new Error(`Cannot find ${basename(candidates[0] ?? '')} in the Debian packages. Check images/debian-lock.json.`)
}

/** What scanners look for, and what licences ask for. */
function packageEntries({ name, control }: FetchedPackage, root: string): LayerEntry[] {
  const copyright = join(root, 'usr/share/doc', name, 'copyright')
  const status: LayerEntry = { path: `/var/lib/dpkg/status.d/${name}`, content: control }
  if (!existsSync(copyright)) return [status]
  return [status, { path: `/usr/share/doc/${name}/copyright`, content: { file: copyright } }]
}

function systemEntries(suite: string): LayerEntry[] {
  const home = '/home/nonroot'
  return [
    { path: '/etc/passwd', content: `root:x:0:0:root:/:/none\nnonroot:x:${NONROOT}:${NONROOT}::${home}:/none\n` },
    { path: '/etc/group', content: `root:x:0:\nnonroot:x:${NONROOT}:\n` },
    { path: '/etc/nsswitch.conf', content: 'passwd: files\ngroup: files\nhosts: files dns\n' },
    { path: '/etc/os-release', content: `ID=debian\nVERSION_CODENAME=${suite}\nNAME="Debian GNU/Linux"\n` },
    { path: home, kind: 'directory', mode: 0o700, uid: NONROOT, gid: NONROOT },
    { path: '/tmp', kind: 'directory', mode: 0o1777 },
    { path: '/package.json', content: '{"type":"module"}\n' }, // our programs have no ending that says so
  ]
}
