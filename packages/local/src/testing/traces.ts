/**
 * What a run leaves on the machine, seen from outside: for tests that say "nothing is left".
 *
 * @module
 */
import { readFileSync, readdirSync, readlinkSync, existsSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { childrenOf, findProcess } from '../machine/process-id.ts'
import { findRecord } from '../runs/run-record.ts'

const namespaceKinds = ['net', 'mnt', 'pid', 'uts', 'ipc', 'cgroup']

/** Namespaces that processes of a run have to themselves, and its control groups and folder. */
export interface Traces {
  readonly namespaces: ReadonlySet<string>
  readonly paths: readonly string[]
}

/** Collect them while the run is alive. */
export function tracesOf(id: string): Traces {
  const record = findRecord(id)
  if (record === undefined) throw new Error(`Cannot find a run called ${id}`)
  const processes = record.daemons.flatMap(({ id: { pid } }) => [pid, ...childrenOf(pid)])
  const own = new Set(namespacesOf(process.pid))
  const namespaces = new Set(processes.flatMap(namespacesOf).filter((name) => !own.has(name)))
  return { namespaces, paths: [record.folder, ...record.cgroups] }
}

/** What is still there of them. */
export function remainsOf({ namespaces, paths }: Traces): string[] {
  const inUse = new Set(
    allProcesses()
      .flatMap(namespacesOf)
      .filter((name) => namespaces.has(name)),
  )
  return [...inUse, ...paths.filter((path) => existsSync(path))]
}

/** The machine's own network and mounts, which must look the same before and after. */
export function machineState(): string {
  const network = [
    ['ip', 'route', 'show', 'table', 'all'],
    ['ip', '-o', 'link'],
    ['ip', 'netns'],
  ]
  const texts = network.map(([program = '', ...args]) => execFileSync(program, args, { encoding: 'utf8' }))
  return [...texts, readFileSync('/proc/self/mounts', 'utf8')].join('\n')
}

function namespacesOf(pid: number): string[] {
  return namespaceKinds.flatMap((kind) => {
    try {
      return [readlinkSync(`/proc/${pid}/ns/${kind}`)]
    } catch {
      return [] // ended meanwhile
    }
  })
}

// Not those that have ended and wait to be forgotten: the kernel still shows which process namespace they were in.
function allProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => findProcess(pid) !== undefined)
}
