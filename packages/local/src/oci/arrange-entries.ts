/**
 * From loose entries to the list an archive is written from: complete, in the one right order, without doubles.
 *
 * @module
 */
import { ImageError } from './image-error.ts'
import { isGlob, matchesAny } from './path-pattern.ts'
import type { Attributes, TarEntry } from './tar-entry.ts'

/** Owner and mode by path or pattern; where several match, the last one wins. */
export type Overrides = Readonly<Record<string, Partial<Attributes>>>

/** What a layer will hold. An added entry takes the place of the tree's. */
export function arrangeEntries(
  tree: readonly TarEntry[],
  added: readonly TarEntry[],
  overrides: Overrides,
): TarEntry[] {
  const byPath = new Map(tree.map((entry) => [entry.path, entry]))
  refuseDoubles(added)
  for (const entry of added) byPath.set(entry.path, entry)
  for (const path of [...byPath.keys()]) ensureParents(byPath, path)
  refuseUnusedOverrides(byPath, overrides)
  return linkTwins(override(inPathOrder([...byPath.values()]), overrides))
}

function refuseDoubles(entries: readonly TarEntry[]): void {
  const seen = new Set<string>()
  for (const { path } of entries) {
    if (seen.has(path)) throw new ImageError(`put ${path} into a layer`, 'it is listed twice', 'Remove one of the two.')
    seen.add(path)
  }
}

/** Without an entry, a parent's mode would be the choice of whoever unpacks. It also replaces that of lower layers. */
function ensureParents(byPath: Map<string, TarEntry>, path: string): void {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const parent = path.slice(0, end)
    const known = byPath.get(parent)
    if (known && known.kind !== 'directory') throw notAFolder(path, known)
    if (!known) byPath.set(parent, { path: parent, kind: 'directory', mode: 0o755, uid: 0, gid: 0 })
  }
}

function notAFolder(path: string, { path: parent, kind }: TarEntry): ImageError {
  return new ImageError(`put ${path} into a layer`, `${parent} is a ${kind} there`, 'Use the real folder in the path.')
}

/**
 * By the bytes of the names: the same everywhere. `/` counts as the lowest byte, so that a folder is followed by all
 * that is in it: GNU tar takes a folder for finished, and sets its time, as soon as something else comes.
 */
function inPathOrder(entries: readonly TarEntry[]): TarEntry[] {
  return entries
    .map((entry) => ({ entry, bytes: Buffer.from(entry.path.replaceAll('/', '\0')) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ entry }) => entry)
}

function override(entries: readonly TarEntry[], overrides: Overrides): TarEntry[] {
  const rules = Object.entries(overrides).map(([pattern, wanted]) => ({ isMeant: matchesAny([pattern]), wanted }))
  return entries.map((entry) =>
    rules.reduce((so, { isMeant, wanted }) => (isMeant(entry.path) ? { ...so, ...wanted } : so), entry),
  )
}

/** A path that is not there is a typing error, and its effect would be noticed only in a running container. */
function refuseUnusedOverrides(byPath: ReadonlyMap<string, TarEntry>, overrides: Overrides): void {
  const unused = Object.keys(overrides).find((pattern) => !isGlob(pattern) && !byPath.has(pattern))
  if (unused === undefined) return
  throw new ImageError(
    `set owner or mode of ${unused}`,
    'the layer has no such path',
    'Correct or remove the override.',
  )
}

/** The second and later names of a file become links to the first, so that its content is stored once. */
function linkTwins(entries: readonly TarEntry[]): TarEntry[] {
  const first = new Map<string, string>()
  return entries.map((entry) => {
    if (entry.kind !== 'file' || entry.inode === undefined) return entry
    const { path, mode, uid, gid } = entry
    const twin = [entry.inode, mode, uid, gid].join(' ') // links share their attributes, so these must agree too
    const target = first.get(twin)
    if (target === undefined) first.set(twin, path)
    return target === undefined ? entry : { path, mode, uid, gid, kind: 'hardlink', target }
  })
}
