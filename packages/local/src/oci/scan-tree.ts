/**
 * A folder on disk as entries of an archive.
 *
 * Not everything survives: devices and sockets are left out (a container gets its own), and so are extended
 * attributes, because Node cannot read them. A program that has its rights through `security.capability` instead of
 * setuid (ping, for one) therefore loses them.
 *
 * @module
 */
import { isUtf8 } from 'node:buffer'
import type { Stats } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ImageError, explainFileError } from './image-error.ts'
import type { PathTest } from './path-pattern.ts'
import type { Attributes, TarEntry } from './tar-entry.ts'

interface Walk {
  readonly root: string
  readonly device: number
  readonly isExcluded: PathTest
}

/** All entries below `root`, in no particular order. Root itself is none: its mode is an accident of where it lies. */
export async function scanTree(root: string, isExcluded: PathTest): Promise<TarEntry[]> {
  const { dev } = await look(root)
  return scanFolder({ root, device: dev, isExcluded }, '', dev)
}

async function scanFolder(walk: Walk, folder: string, device: number): Promise<TarEntry[]> {
  const names = await listNames(join(walk.root, folder))
  const paths = names
    .map((name) => (folder === '' ? name : `${folder}/${name}`))
    .filter((path) => !walk.isExcluded(path))
  if (paths.length > 0 && device !== walk.device) throw mountedThere(join(walk.root, folder))
  const scans = await Promise.all(paths.map(async (path) => ({ path, stats: await look(join(walk.root, path)) })))
  const entries: TarEntry[] = []
  for (const { path, stats } of scans) {
    const entry = await entryOf(walk.root, path, stats)
    if (entry) entries.push(entry)
    if (stats.isDirectory()) for (const below of await scanFolder(walk, path, stats.dev)) entries.push(below)
  }
  return entries
}

async function entryOf(root: string, path: string, stats: Stats): Promise<TarEntry | undefined> {
  const common = { path, ...attributesOf(stats) }
  const file = join(root, path)
  if (stats.isDirectory()) return { ...common, kind: 'directory' }
  if (stats.isSymbolicLink()) return { ...common, kind: 'symlink', target: await readTarget(file) }
  if (stats.isFIFO()) return { ...common, kind: 'fifo' }
  if (stats.isFile()) return { ...common, kind: 'file', size: stats.size, content: { file }, inode: inodeOf(stats) }
  return undefined
}

/** What makes two names the same file. */
export function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}

/** A symlink's own mode means nothing and differs between file systems. */
function attributesOf(stats: Stats): Attributes {
  return { mode: stats.isSymbolicLink() ? 0o777 : stats.mode & 0o7777, uid: stats.uid, gid: stats.gid }
}

async function look(file: string): Promise<Stats> {
  try {
    return await lstat(file)
  } catch (cause) {
    throw explainFileError(`pack ${file}`, cause)
  }
}

async function listNames(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder, { encoding: 'buffer' })
    return names.map((name) => asText(name, `pack a file in ${folder}`))
  } catch (cause) {
    throw explainFileError(`list ${folder}`, cause)
  }
}

async function readTarget(file: string): Promise<string> {
  try {
    return asText(await readlink(file, { encoding: 'buffer' }), `pack the link ${file}`)
  } catch (cause) {
    throw explainFileError(`read the link ${file}`, cause)
  }
}

/** Other bytes would come out changed at the far end, or not be found again here. */
function asText(name: Buffer, action: string): string {
  if (isUtf8(name)) return name.toString()
  throw new ImageError(action, `the name ${JSON.stringify(name.toString())} is not UTF-8`, 'Rename it.')
}

/** A forgotten bind mount would put half the machine into the image. */
function mountedThere(folder: string): ImageError {
  const advice = 'Unmount it, or exclude what is in it.'
  return new ImageError(`pack ${folder}`, 'another file system is mounted there', advice)
}
