/**
 * Single Debian packages for an image, fetched with lists and caches of our own: the machine's stay as they are. apt
 * checks signatures; the lock says which versions an image was last published with.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, succeeds } from '../../packages/local/src/machine/run.ts'

/** Which packages, of which Debian, in which versions. */
export interface PackageLock {
  readonly suite: string
  /** The version by package. */
  readonly packages: Readonly<Record<string, string>>
}

/** A package that lies on the disk. */
export interface FetchedPackage {
  readonly name: string
  readonly version: string
  readonly architecture: string
  /** Of the .deb file. */
  readonly sha256: string
  /** Its control file, as scanners of images look for it. */
  readonly control: string
}

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
const MINUTE_MS = 60_000

/** Which packages, for which processor. */
export interface PackageOrder {
  readonly lock: PackageLock
  readonly architecture: string
}

/** Fetch the packages into `<area>/downloads` and unpack them into `root`, without running anything of theirs. */
export async function fetchPackages(order: PackageOrder, area: string, root: string): Promise<FetchedPackage[]> {
  const { lock } = order
  const options = await prepareApt(order, area)
  const downloads = join(area, 'downloads')
  rmSync(downloads, { recursive: true, force: true })
  mkdirSync(downloads, { recursive: true })
  mkdirSync(root, { recursive: true })
  await run(['apt-get', ...options, 'update', '-q', '--error-on=any'], { timeoutMs: 5 * MINUTE_MS }).catch(explain)
  for (const [name, version] of Object.entries(lock.packages)) await download(name, version, options, downloads)
  return Promise.all(
    readdirSync(downloads)
      .toSorted()
      .map((file) => unpack(join(downloads, file), root)),
  )
}

/** Packages whose version is not the one of the lock, in words. */
export function differencesFrom(lock: PackageLock, fetched: readonly FetchedPackage[]): string[] {
  return fetched.flatMap(({ name, version }) => {
    const locked = lock.packages[name]
    return locked === version ? [] : [`${name} is ${version}, the lock has ${locked ?? 'none'}`]
  })
}

/** The wanted version, or the one that the mirror has now: mirrors keep no old ones. */
async function download(name: string, version: string, options: readonly string[], folder: string): Promise<void> {
  const how = { timeoutMs: 5 * MINUTE_MS, cwd: folder }
  if (await succeeds(['apt-get', ...options, 'download', `${name}=${version}`], how)) return
  await run(['apt-get', ...options, 'download', name], how).catch(explain)
}

async function unpack(file: string, root: string): Promise<FetchedPackage> {
  await run(['dpkg-deb', '-x', file, root], { timeoutMs: MINUTE_MS })
  const { stdout: control } = await run(['dpkg-deb', '-f', file], { timeoutMs: MINUTE_MS })
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(control)?.[1] ?? ''
  return {
    name: field('Package'),
    version: field('Version'),
    architecture: field('Architecture'),
    sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
    control,
  }
}

async function prepareApt({ lock: { suite }, architecture }: PackageOrder, area: string): Promise<string[]> {
  const place = (name: string) => join(area, name)
  for (const folder of ['lists/partial', 'cache/archives/partial']) mkdirSync(place(folder), { recursive: true })
  writeFileSync(place('sources.list'), `deb [signed-by=${KEYRING}] ${await findMirror()} ${suite} main\n`)
  writeFileSync(place('status'), '')
  return [
    ['APT::Architecture', architecture],
    ['APT::Architectures', architecture],
    ['Dir::Etc::SourceList', place('sources.list')],
    ['Dir::Etc::SourceParts', '-'],
    ['Dir::State::Lists', place('lists')],
    ['Dir::State::status', place('status')],
    ['Dir::Cache', place('cache')],
    ['Acquire::Languages', 'none'],
    ['APT::Sandbox::User', 'root'], // apt's own user cannot read our folders
  ].flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

/** The Debian mirror of the machine's own settings. */
async function findMirror(): Promise<string> {
  const format = ['--format', '$(REPO_URI)', 'Identifier: Packages']
  const { stdout } = await run(['apt-get', 'indextargets', ...format], { timeoutMs: MINUTE_MS }).catch(explain)
  const mirror = stdout.split('\n').find((uri) => /\/debian\/?$/.test(uri))
  if (mirror === undefined) throw new Error('Cannot find a Debian mirror in /etc/apt. Add one and run apt-get update.')
  return mirror
}

function explain(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause)
  const advice = 'Images need a Debian machine whose mirror (/etc/apt) can be reached.'
  throw new Error(`Cannot fetch Debian packages: ${why}\n${advice}`, { cause })
}
