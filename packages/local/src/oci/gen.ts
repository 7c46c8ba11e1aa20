/**
 * Test data of this room: folders, entries, and the system's tar as the judge of what we write.
 *
 * @module
 */
import { execFile } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

/** What another program sees of one file: comparable, and printed readably when it differs. */
export type Sight = Readonly<Record<string, string | number>>

/** A folder that is gone after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'oci-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Run the system's tar; the locale keeps it from escaping names. */
export async function tar(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('tar', args, { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  return stdout
}

/** Let the system's tar unpack an archive, and look at the result. */
export async function unpack(archive: string): Promise<Map<string, Sight>> {
  const folder = join(tempFolder(), 'unpacked')
  mkdirSync(folder)
  await tar('-xpf', archive, '--numeric-owner', '-C', folder)
  return lookAt(folder)
}

/** Everything below a folder that an image keeps. Links to one file have the same `first` name. */
export function lookAt(root: string): Map<string, Sight> {
  const firstNames = new Map<number, string>()
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
  return new Map(paths.map((path) => [path, sightOf(root, path, firstNames)]))
}

function sightOf(root: string, path: string, firstNames: Map<number, string>): Sight {
  const file = join(root, path)
  const stats = lstatSync(file)
  const owner = { uid: stats.uid, gid: stats.gid, mtimeSeconds: Math.floor(stats.mtimeMs / 1000) }
  if (stats.isSymbolicLink()) return { ...owner, kind: 'symlink', target: readlinkSync(file) }
  const common = { ...owner, mode: (stats.mode & 0o7777).toString(8) }
  if (!stats.isFile()) return { ...common, kind: stats.isDirectory() ? 'directory' : 'other' }
  if (!firstNames.has(stats.ino)) firstNames.set(stats.ino, path)
  return { ...common, kind: 'file', first: firstNames.get(stats.ino) ?? '', content: readFileSync(file, 'base64') }
}
