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
  readonly hasApt: boolean
}

const needed = [
  { bit: 21n, name: 'CAP_SYS_ADMIN', use: 'to make namespaces and mounts' },
  { bit: 12n, name: 'CAP_NET_ADMIN', use: 'to make networks' },
  { bit: 27n, name: 'CAP_MKNOD', use: 'to unpack Debian roots and containers' },
]
const FREE_BYTES_FOR_BOXES = 3e9

/** Everything that stands in the way of node and Slurm boxes; empty when nothing does. */
export function whyNoBoxes({
  platform,
  architecture,
  userId,
  capabilities,
  fileSystems,
  freeBytes,
  hasApt,
}: Surroundings): string[] {
  if (platform !== 'linux') return [`this is ${platform}, and boxes are made of Linux namespaces`]
  const missing = needed.filter(({ bit }) => (capabilities & (1n << bit)) === 0n)
  return [
    ...(architecture === 'x64' || architecture === 'arm64'
      ? []
      : [`processors of kind ${architecture} are not supported`]),
    ...(userId === 0 ? [] : [`you are user ${userId}, and root is needed`]),
    ...(userId === 0 ? missing.map(({ name, use }) => `root has no ${name} here, which is needed ${use}`) : []),
    ...(fileSystems.includes('overlay') ? [] : ['the kernel has no overlay file system (modprobe overlay)']),
    ...(hasApt ? [] : ['there is no apt-get, and all node programs come as Debian packages']),
    ...(freeBytes >= FREE_BYTES_FOR_BOXES
      ? []
      : [`only ${(freeBytes / 1e9).toFixed(1)} GB of disk are free, ${FREE_BYTES_FOR_BOXES / 1e9} GB are needed`]),
  ]
}

/** Read the surroundings of this process. */
export function readSurroundings(diskFolder: string): Surroundings {
  const isLinux = process.platform === 'linux'
  const status = isLinux ? readFileSync('/proc/self/status', 'utf8') : ''
  return {
    platform: process.platform,
    architecture: process.arch,
    userId: process.getuid?.(),
    capabilities: BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`),
    fileSystems: isLinux ? readFileSync('/proc/filesystems', 'utf8').split(/\s+/) : [],
    freeBytes: freeBytesOf(diskFolder),
    hasApt: existsSync('/usr/bin/apt-get'),
  }
}

function freeBytesOf(folder: string): number {
  let existing = folder
  while (!existsSync(existing)) existing = dirname(existing)
  const { bavail, bsize } = statfsSync(existing)
  return bavail * bsize
}
