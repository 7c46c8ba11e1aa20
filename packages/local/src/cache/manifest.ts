/**
 * What a finished cache entry consists of, so that a damaged one is noticed before it is used.
 *
 * Every file is compared by size at each use. Programs are also compared by checksum when their time stamp or inode has
 * changed since the checksum was made; a root file system with its thousands of files is not read in full.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { createReadStream, lstatSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

interface FileRecord {
  readonly size: number
  readonly sha256?: string
  readonly mtimeMs?: number
  readonly inode?: number
}

interface Manifest {
  readonly files: Readonly<Record<string, FileRecord>>
}

const MANIFEST_FILE = '.manifest.json'
const MOST_FILES_WITH_CHECKSUM = 50

/** Write down what `folder` holds. The entry counts as complete from then on. */
export async function writeManifest(folder: string): Promise<void> {
  const paths = regularFiles(folder)
  const withChecksum = paths.length <= MOST_FILES_WITH_CHECKSUM
  const files: Record<string, FileRecord> = {}
  for (const path of paths) {
    const { size, mtimeMs, ino } = lstatSync(join(folder, path))
    files[path] = withChecksum ? { size, mtimeMs, inode: ino, sha256: await sha256Of(join(folder, path)) } : { size }
  }
  writeFileSync(join(folder, MANIFEST_FILE), JSON.stringify({ files } satisfies Manifest))
}

/** Why an entry must be made again, or undefined when it is whole. */
export async function whyBroken(folder: string): Promise<string | undefined> {
  const manifest = readManifest(folder)
  if (manifest === undefined) return 'it was never finished'
  for (const [path, record] of Object.entries(manifest.files)) {
    const cause = await whyFileBroken(join(folder, path), record)
    if (cause !== undefined) return `${path} ${cause}`
  }
  return undefined
}

async function whyFileBroken(file: string, record: FileRecord): Promise<string | undefined> {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined) return 'is missing'
  if (found.size !== record.size) return `has ${found.size} bytes instead of ${record.size}`
  if (record.sha256 === undefined || (found.mtimeMs === record.mtimeMs && found.ino === record.inode)) return undefined
  return (await sha256Of(file)) === record.sha256 ? undefined : 'has another checksum'
}

function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8')) as Manifest
  } catch {
    return undefined
  }
}

function regularFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name !== MANIFEST_FILE)
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
