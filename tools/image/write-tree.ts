import { chmodSync, chownSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LayerEntry } from '../../packages/local/src/oci/index.ts'

/** Write entries of an image as a folder: for a Dockerfile that copies it, so that both ways give the same files. */
export function writeTree(entries: readonly LayerEntry[], folder: string): void {
  for (const entry of entries) {
    const path = join(folder, entry.path)
    mkdirSync(dirname(path), { recursive: true })
    if (entry.kind === 'symlink') symlinkSync(entry.target, path)
    else if (entry.kind === 'directory') mkdirSync(path, { recursive: true })
    else writeContent(entry.content, path)
    if (entry.kind !== 'symlink') chmodSync(path, entry.mode ?? (entry.kind === 'directory' ? 0o755 : 0o644))
    if (entry.uid !== undefined) chownSync(path, entry.uid, entry.gid ?? entry.uid)
  }
}

function writeContent(content: string | Uint8Array | { readonly file: string }, path: string): void {
  if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(path, content)
  else copyFileSync(content.file, path)
}
