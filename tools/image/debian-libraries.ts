/**
 * The Debian packages of the images as an entry of the per-user cache: fetched once for each lock.
 *
 * @module
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureArtefact, type Artefact } from '../../packages/local/src/cache/cache.ts'
import type { Progress } from '../../packages/local/src/progress/progress.ts'
import { ROOT } from '../project.ts'
import type { Architecture } from './base-entries.ts'
import { fetchPackages, type FetchedPackage, type PackageLock } from './debian-packages.ts'

/** The lock, relative to the project. */
const LOCK_FILE = 'images/debian-lock.json'

/** What lies in the cache. */
export interface DebianLibraries {
  readonly root: string
  readonly packages: readonly FetchedPackage[]
}

/** The lock of the project. */
export function readLock(): PackageLock {
  return JSON.parse(readFileSync(join(ROOT, LOCK_FILE), 'utf8')) as PackageLock
}

/** Fetch the packages unless they are there already. */
export async function ensureLibraries(
  lock: PackageLock,
  architecture: Architecture,
  progress: Progress,
): Promise<DebianLibraries> {
  const folder = await ensureArtefact(librariesOf(lock, architecture), progress)
  const packages = JSON.parse(readFileSync(join(folder, 'packages.json'), 'utf8')) as FetchedPackage[]
  return { root: join(folder, 'root'), packages }
}

function librariesOf(lock: PackageLock, architecture: Architecture): Artefact {
  return {
    name: 'image-libraries',
    madeFrom: [architecture, JSON.stringify(lock)],
    usuallySeconds: 15,
    make: async (folder) => {
      const packages = await fetchPackages({ lock, architecture }, join(folder, 'apt'), join(folder, 'root'))
      rmSync(join(folder, 'apt'), { recursive: true })
      writeFileSync(join(folder, 'packages.json'), JSON.stringify(packages))
    },
  }
}
