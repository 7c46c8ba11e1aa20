import { stat } from 'node:fs/promises'
import { ImageError, explainFileError } from './image-error.ts'
import { inodeOf } from './scan-tree.ts'
import type { Attributes, DiskFile, TarEntry } from './tar-entry.ts'

/**
 * Something to put into a layer that is in no tree: generated content, or single files of this machine.
 * Folders on the way that are not listed become root's, mode 755, also where a lower layer has them otherwise: list
 * `/tmp` with 1777 when you put something there.
 * Owner is root. Mode is 755 for folders and 644 for files, or 755 when the file on disk can be executed: its other
 * bits depend on the umask of whoever checked it out.
 */
export type LayerEntry = Partial<Attributes> & { readonly path: string } & (
    | { readonly kind?: 'file'; readonly content: string | Uint8Array | DiskFile }
    | { readonly kind: 'directory' }
    | { readonly kind: 'symlink'; readonly target: string }
  )

/** The entry as the archive will have it. */
export async function resolveEntry(entry: LayerEntry): Promise<TarEntry> {
  const { uid = 0, gid = 0 } = entry
  const common = { path: normalisePath(entry.path), uid, gid }
  if (entry.kind === 'symlink') return { ...common, kind: 'symlink', target: entry.target, mode: 0o777 }
  if (entry.kind === 'directory') return { ...common, kind: 'directory', mode: entry.mode ?? 0o755 }
  const { content } = entry
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) return onDisk(content, common, entry.mode)
  const bytes = Buffer.from(content)
  return { ...common, kind: 'file', mode: entry.mode ?? 0o644, size: bytes.length, content: bytes }
}

type Common = Pick<TarEntry, 'path' | 'uid' | 'gid'>

async function onDisk({ file }: DiskFile, common: Common, wantedMode: number | undefined): Promise<TarEntry> {
  try {
    const stats = await stat(file)
    if (!stats.isFile()) throw new ImageError(`pack ${file}`, 'it is not a file', 'Name a file.')
    const mode = wantedMode ?? ((stats.mode & 0o111) === 0 ? 0o644 : 0o755)
    return { ...common, kind: 'file', mode, size: stats.size, content: { file }, inode: inodeOf(stats) }
  } catch (cause) {
    throw explainFileError(`pack ${file}`, cause)
  }
}

/** A path as in the archive. Nothing may point out of the image, and no file may have two spellings. */
function normalisePath(path: string): string {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  if (names.length > 0 && !names.includes('..') && !path.includes('\0') && path.isWellFormed()) return names.join('/')
  const advice = 'Name a path below the root of the image, without "..".'
  throw new ImageError(`put ${JSON.stringify(path)} into an image`, 'it is no path in an image', advice)
}
