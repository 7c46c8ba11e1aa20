/**
 * Control groups for node boxes: a child below our own group in every hierarchy, so that a node can be limited, seen as
 * a whole and removed without a trace.
 *
 * @module
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { untilTrue } from './until.ts'

const ROOT = '/sys/fs/cgroup'

/** Which generation of control groups the machine uses for its controllers. */
function cgroupVersion(): 1 | 2 {
  return existsSync(join(ROOT, 'cgroup.controllers')) ? 2 : 1
}

/** Make the groups of a box and return their folders; a process belongs to the box once it is in all of them. */
export function createCgroups(name: string): string[] {
  return cgroupVersion() === 2 ? [createUnified(name)] : ownGroups().map((folder) => createBelow(folder, name))
}

/** Remove groups with all that is below them. Processes in them must have ended; the kernel may need a moment. */
export async function removeCgroups(folders: readonly string[]): Promise<void> {
  await untilTrue(`the control groups ${folders[0] ?? ''} to be empty`, () => folders.map(removeTree).every(Boolean), {
    timeoutMs: 10_000,
  })
}

/** Remove what is below the groups: containers of a node that lost its power. Each costs a new kubelet three seconds. */
export function emptyCgroups(folders: readonly string[]): void {
  for (const folder of folders) for (const child of childGroups(folder)) removeTree(child)
}

/** Version 1: one hierarchy per controller. All paths are read before any process moves. */
function ownGroups(): string[] {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n')
  return lines.flatMap((line) => {
    const [id, controllers = '', path = '/'] = line.split(':')
    return id === '0' ? [] : [join(ROOT, controllers.replace('name=', ''), path)]
  })
}

function createBelow(parent: string, name: string): string {
  const folder = join(parent, name)
  mkdirSync(folder, { recursive: true })
  if (folder.startsWith(join(ROOT, 'cpuset'))) for (const file of ['cpuset.cpus', 'cpuset.mems']) inherit(folder, file)
  return folder
}

/**
 * Version 2 (not run on the machines we have): the group lies below the root of the hierarchy, since our own group holds
 * processes and therefore cannot hand controllers down. The box script moves its processes into the leaf `init`.
 */
function createUnified(name: string): string {
  const folder = join(ROOT, name)
  mkdirSync(folder, { recursive: true })
  for (const controller of readFileSync(join(ROOT, 'cgroup.controllers'), 'utf8').trim().split(' ')) {
    try {
      writeFileSync(join(ROOT, 'cgroup.subtree_control'), `+${controller}`)
    } catch {
      // not ours to hand down: the kubelet will name what it misses
    }
  }
  return folder
}

function inherit(folder: string, file: string): void {
  writeFileSync(join(folder, file), readFileSync(join(dirname(folder), file)))
}

function removeTree(folder: string): boolean {
  try {
    for (const child of childGroups(folder)) removeTree(child)
    rmdirSync(folder)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
  return true
}

function childGroups(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(folder, entry.name)] : [],
  )
}
