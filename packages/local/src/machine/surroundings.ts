/**
 * Whether this machine can do what we ask of it, said before anything is started.
 *
 * @module
 */
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** What we need to know about a machine; plain data, so that the judgement can be tested anywhere. */
export interface Surroundings {
  readonly platform: string
  readonly architecture: string
  readonly userId: number | undefined
  /** The effective capabilities as a bit mask. */
  readonly capabilities: bigint
  readonly fileSystems: readonly string[]
  readonly freeBytes: number
  /** Whether most programs are in the cache; else there must be room to make them. */
  readonly hasPrograms: boolean
  readonly hasApt: boolean
}

const needed = [
  { bit: 21n, name: 'CAP_SYS_ADMIN', use: 'to make namespaces and mounts' },
  { bit: 12n, name: 'CAP_NET_ADMIN', use: 'to make networks' },
  { bit: 27n, name: 'CAP_MKNOD', use: 'to unpack Debian roots and containers' },
]
/** What a cluster writes; and that with all programs, the packages that they are made of, and Go's own caches. */
const neededBytes = { running: 3e9, making: 6e9 } as const

/** Everything that stands in the way of node and Slurm boxes, and what to do about it; empty when nothing does. */
export function whyNoBoxes({
  platform,
  architecture,
  userId,
  capabilities,
  fileSystems,
  freeBytes,
  hasPrograms,
  hasApt,
}: Surroundings): string[] {
  if (platform !== 'linux')
    return [`this is ${platform}, and nodes are made of Linux namespaces: use a virtual machine with Linux`]
  const missing = needed.filter(({ bit }) => (capabilities & (1n << bit)) === 0n)
  return [
    ...(architecture === 'x64' || architecture === 'arm64'
      ? []
      : [`processors of kind ${architecture} are not supported`]),
    ...(userId === 0 ? [] : [`you are user ${userId}, and root is needed to make namespaces: call it with sudo`]),
    ...(userId === 0 && missing.length > 0
      ? [
          `root has no ${missing.map(({ name, use }) => `${name} (${use})`).join(', ')}: in a container, start it privileged`,
        ]
      : []),
    ...(fileSystems.includes('overlay') ? [] : ['the kernel has no overlay file system (modprobe overlay)']),
    ...(hasApt
      ? []
      : ['there is no apt-get, and programs of nodes come as Debian packages: use Debian 12 or newer, or Ubuntu']),
    ...whyTooFull(freeBytes, hasPrograms),
  ]
}

function whyTooFull(freeBytes: number, hasPrograms: boolean): string[] {
  const needed = hasPrograms ? neededBytes.running : neededBytes.making
  if (freeBytes >= needed) return []
  const what = hasPrograms ? 'a cluster writes about' : 'with everything that must be made first it takes about'
  const advice = 'free some, or name a folder on another disk with XDG_CACHE_HOME'
  return [`only ${(freeBytes / 1e9).toFixed(1)} GB of disk are free, and ${what} ${needed / 1e9} GB: ${advice}`]
}

/** Read the surroundings of this process. */
export function readSurroundings(diskFolder: string, hasPrograms: boolean): Surroundings {
  const isLinux = process.platform === 'linux'
  const status = isLinux ? readFileSync('/proc/self/status', 'utf8') : ''
  return {
    platform: process.platform,
    architecture: process.arch,
    userId: process.getuid?.(),
    capabilities: BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`),
    fileSystems: isLinux ? readFileSync('/proc/filesystems', 'utf8').split(/\s+/) : [],
    freeBytes: freeBytesOf(diskFolder),
    hasPrograms,
    hasApt: existsSync('/usr/bin/apt-get'),
  }
}

function freeBytesOf(folder: string): number {
  let existing = folder
  while (!existsSync(existing)) existing = dirname(existing)
  const { bavail, bsize } = statfsSync(existing)
  return bavail * bsize
}
