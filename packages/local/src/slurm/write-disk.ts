import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DiskFile } from './build-daemon.ts'

/** Put files onto the disk of a box that does not run yet. */
export function writeDisk(boxFolder: string, files: readonly DiskFile[]): void {
  // An empty resolv.conf: a name that is not in the hosts file fails at once instead of after seconds.
  const all = [...files, { path: '/etc/resolv.conf', content: '', mode: 0o644, ownerId: 0 }]
  for (const { path, content, mode, ownerId } of all) {
    const file = join(boxFolder, 'upper', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    chownSync(file, ownerId, ownerId)
    chmodSync(file, mode)
  }
}
