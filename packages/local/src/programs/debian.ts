/**
 * Debian packages: single ones unpacked beside the machine's own, and whole root file systems. The machine's package
 * lists and sources stay as they are; ours lie in the cache and use the same mirror.
 *
 * @module
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../cache/cache.ts'
import { withLock } from '../cache/lock.ts'
import { messageOf } from '../machine/message-of.ts'
import { run, succeeds } from '../machine/run.ts'
import { DEBIAN_SUITE } from './versions.ts'

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
const MINUTE_MS = 60_000

/** Programs of the machine itself that we call, and the Debian package that brings each. */
const hostPrograms = {
  mmdebstrap: 'mmdebstrap',
  ip: 'iproute2',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
  mount: 'mount',
} as const

/** A program that the machine must have. */
export type HostProgram = keyof typeof hostPrograms

/** Install what is missing of the machine's own programs. */
export async function ensureHostPrograms(programs: readonly HostProgram[]): Promise<void> {
  await withLock('host packages', { timeoutMs: 10 * MINUTE_MS }, async () => {
    const missing: string[] = []
    for (const program of programs) if (!(await isOnPath(program))) missing.push(hostPrograms[program])
    if (missing.length === 0) return
    await run(['apt-get', 'update', '-q'], { timeoutMs: 5 * MINUTE_MS }).catch(explainMirror)
    await run(['apt-get', 'install', '-qy', '--no-install-recommends', ...new Set(missing)], {
      timeoutMs: 10 * MINUTE_MS,
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    })
  })
}

/** Unpack packages of the suite into `folder`, without their dependencies and without running anything of theirs. */
export async function unpackPackages(packages: readonly string[], folder: string): Promise<void> {
  const area = join(cacheFolder(), 'apt')
  await withLock(area, { timeoutMs: 10 * MINUTE_MS }, async () => {
    const options = await privateApt(area)
    const downloads = join(area, 'downloads')
    rmSync(downloads, { recursive: true, force: true })
    mkdirSync(downloads, { recursive: true })
    await run(['apt-get', ...options, 'update', '-q', '--error-on=any'], { timeoutMs: 5 * MINUTE_MS }).catch(
      explainMirror,
    )
    const limits = { timeoutMs: 10 * MINUTE_MS, cwd: downloads }
    await run(['apt-get', ...options, 'download', ...packages], limits).catch(explainMirror)
    for (const file of readdirSync(downloads)) {
      await run(['dpkg-deb', '-x', join(downloads, file), folder], { timeoutMs: 5 * MINUTE_MS })
    }
  })
}

/** What a root file system is made of. */
export interface RootSpec {
  /** `DEBIAN_SUITE` unless said. */
  readonly suite?: string
  readonly packages: readonly string[]
  /** Shell commands on the root as "$1": before the first package is unpacked, and after the last. */
  readonly early?: readonly string[]
  readonly late?: readonly string[]
}

/** Make a root file system from packages of a suite. Downloaded packages are kept, so a second try is faster. */
export async function makeRoot(spec: RootSpec, folder: string, onPhase: (text: string) => void): Promise<void> {
  const { suite = DEBIAN_SUITE } = spec
  const kept = join(cacheFolder(), 'debs', suite)
  mkdirSync(kept, { recursive: true })
  const mirror = await readMirror()
  rmSync(folder, { recursive: true, force: true }) // mmdebstrap wants to make it
  await run([...ownMounts, 'mmdebstrap', ...rootOptions(spec, kept), suite, folder, `deb ${mirror} ${suite} main`], {
    timeoutMs: 30 * MINUTE_MS,
    endsWithUs: true,
    logFile: `${folder}.log`,
    onLine: (line) => line.startsWith('I: ') && onPhase(line.slice(3)),
  }).catch(explainMirror)
  await run(['chroot', folder, 'dpkg-query', '-W', '-f', '${Package} ${Version}\\n'], { timeoutMs: MINUTE_MS }).then(
    ({ stdout }) => writeFileSync(join(folder, 'package-versions'), stdout),
  )
  rmSync(`${folder}.log`)
}

// mmdebstrap mounts proc and devices into the new root. In namespaces of their own they go with it, whatever ends it.
const ownMounts = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']

function rootOptions({ packages, early = [], late = [] }: RootSpec, kept: string): string[] {
  const noDaemons = 'printf "#!/bin/sh\\nexit 101\\n" > "$1/usr/sbin/policy-rc.d"; chmod 755 "$1/usr/sbin/policy-rc.d"'
  return [
    '--variant=minbase',
    '--mode=root',
    `--keyring=${KEYRING}`,
    '--aptopt=APT::Install-Recommends "false"',
    '--aptopt=Acquire::Check-Valid-Until "false"', // mirrors may lag behind
    '--aptopt=Acquire::Languages "none"',
    ...['man', 'doc', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
    '--dpkgopt=force-unsafe-io',
    '--skip=download/empty,essential/unlink',
    '--setup-hook=mkdir -p "$1/var/cache/apt/archives"',
    `--setup-hook=sync-in ${kept} /var/cache/apt/archives`,
    `--essential-hook=${noDaemons}`,
    ...early.map((command) => `--essential-hook=${command}`),
    `--customize-hook=sync-out /var/cache/apt/archives ${kept}`,
    '--customize-hook=rm -f "$1/usr/sbin/policy-rc.d"',
    ...late.map((command) => `--customize-hook=${command}`),
    `--include=${packages.join(',')}`,
  ]
}

/** apt with sources, lists and caches of its own. */
async function privateApt(area: string): Promise<string[]> {
  mkdirSync(join(area, 'lists', 'partial'), { recursive: true })
  mkdirSync(join(area, 'cache', 'archives', 'partial'), { recursive: true })
  writeFileSync(join(area, 'sources.list'), `deb [signed-by=${KEYRING}] ${await readMirror()} ${DEBIAN_SUITE} main\n`)
  writeFileSync(join(area, 'status'), '')
  const settings = {
    'Dir::Etc::SourceList': join(area, 'sources.list'),
    'Dir::Etc::SourceParts': '-',
    'Dir::State::Lists': join(area, 'lists'),
    'Dir::State::status': join(area, 'status'),
    'Dir::Cache': join(area, 'cache'),
    'Acquire::Check-Valid-Until': 'false',
    'Acquire::Languages': 'none',
    'APT::Sandbox::User': 'root', // the cache is not readable for apt's own user
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

/** The mirror that the machine itself uses for Debian. */
async function readMirror(): Promise<string> {
  const { stdout } = await run(
    ['apt-get', 'indextargets', '--format', '$(ORIGIN) $(REPO_URI)', 'Identifier: Packages'],
    { timeoutMs: MINUTE_MS },
  )
  const uris = stdout.split('\n').flatMap((line) => /^\S* (\S+)$/.exec(line)?.[1] ?? [])
  const mirror = uris.find((uri) => /\/debian\/?$/.test(uri))
  if (mirror !== undefined) return mirror
  throw new Error(
    `Cannot find a Debian mirror in the package sources of this machine (${uris.join(', ') || 'none'}). Add one to /etc/apt/sources.list.d and run apt-get update.`,
  )
}

function explainMirror(cause: unknown): never {
  const hint =
    'Is the Debian mirror of this machine reachable (/etc/apt)? What is in the cache already works without it.'
  throw new Error(`Cannot get packages of Debian. ${hint}\n${messageOf(cause)}`, { cause })
}

async function isOnPath(program: string): Promise<boolean> {
  return succeeds(['sh', '-c', `command -v ${program}`], { timeoutMs: 10_000 })
}
