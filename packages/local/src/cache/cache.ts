/**
 * The per-user cache: everything that is fetched or built once. An entry is a folder named after what it is and a hash of
 * all it was made from, so a new version never meets an old entry, and several versions live side by side.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Progress } from '../progress/progress.ts'
import { withLock } from './lock.ts'
import { whyBroken, writeManifest } from './manifest.ts'

/** Something that is made once and then only read. */
export interface Artefact {
  readonly name: string
  /** Everything that decides what the result is: versions, package lists, texts of scripts. */
  readonly madeFrom: readonly string[]
  /** For people who wait: measured on two cores. */
  readonly usuallySeconds: number
  /** Made before it. */
  readonly needs?: readonly Artefact[]
  /**
   * Fill the empty folder; `needed` says where the artefacts of `needs` are. May be interrupted at any time; then it is
   * called again with an empty folder.
   */
  readonly make: (folder: string, progress: Progress, needed: readonly string[]) => Promise<void>
}

const MAKING_TIMEOUT_MS = 45 * 60_000

/** Where everything of ours lies that outlives a run. */
export function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'slurm-operator')
}

/** Where this artefact is, or will be. */
export function folderOf({ name, madeFrom }: Artefact): string {
  const key = createHash('sha256')
    .update(JSON.stringify([name, ...madeFrom]))
    .digest('hex')
    .slice(0, 12)
  return join(cacheFolder(), 'artefacts', `${name}-${key}`)
}

const inProgress = new Map<string, Promise<string>>()

/** Make sure that the artefact is there and whole, and say where. Several callers and processes may ask at once. */
export async function ensureArtefact(artefact: Artefact, progress: Progress): Promise<string> {
  const folder = folderOf(artefact)
  const running =
    inProgress.get(folder) ?? ensureOnce(artefact, folder, progress).finally(() => inProgress.delete(folder))
  inProgress.set(folder, running)
  return running
}

async function ensureOnce(artefact: Artefact, folder: string, progress: Progress): Promise<string> {
  const waiting = () => progress.say(`${artefact.name}: another run is making it, waiting`)
  return withLock(folder, { timeoutMs: MAKING_TIMEOUT_MS, onWait: waiting }, async () => {
    const cause = existsSync(folder) ? await whyBroken(folder) : 'it is not there'
    if (cause === undefined) return touched(folder)
    if (existsSync(folder)) progress.say(`${artefact.name}: making it again, because ${cause}`)
    const needed = await Promise.all((artefact.needs ?? []).map((other) => ensureArtefact(other, progress)))
    await progress.step(artefact.name, artefact.usuallySeconds, () => makeAnew(artefact, folder, progress, needed))
    return folder
  })
}

async function makeAnew(
  artefact: Artefact,
  folder: string,
  progress: Progress,
  needed: readonly string[],
): Promise<void> {
  const part = `${folder}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true })
  await artefact.make(part, progress, needed)
  await writeManifest(part)
  rmSync(folder, { recursive: true, force: true })
  renameSync(part, folder)
}

// The time of last use, so that somebody can see what is old.
function touched(folder: string): string {
  const now = new Date()
  utimesSync(folder, now, now)
  return folder
}
