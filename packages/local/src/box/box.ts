/**
 * Boxes: small machines made of namespaces, on a network of their own that the real machine does not see.
 *
 * @module
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCgroups, emptyCgroups } from '../machine/cgroups.ts'
import { killDaemon, whyEnded, type Daemon } from '../machine/daemon.ts'
import { childrenOf, findProcess, isAlive } from '../machine/process-id.ts'
import { run as runCommand, type RunOptions, type RunResult } from '../machine/run.ts'
import { until, untilTrue } from '../machine/until.ts'
import { existsSync } from 'node:fs'
import { projectFile } from '../programs/project-files.ts'
import type { Run } from '../runs/run.ts'
import { connectToHub, type Hub } from './hub.ts'

/** What a box is made of. */
export interface BoxSpec {
  readonly name: string
  /** Shared root file system; the box writes into a layer of its own. */
  readonly root: string
  /** Program of that root which reaps and forwards signals as process 1. */
  readonly init: string
  readonly address: string
  /** Folders and files of the machine that are visible inside. */
  readonly binds: readonly (readonly [source: string, target: string])[]
  /** A node needs control groups of its own; a single daemon does not. */
  readonly cgroups: boolean
  /** Commands of `ip -batch` for the network of the box, after its address is set. */
  readonly routes?: readonly string[]
}

/** What it takes to run a command in a box. */
export interface BoxPlace {
  readonly name: string
  readonly folder: string
  /** Process 1 of the box as the machine sees it. */
  readonly pid: number
}

/** A running box. */
export interface Box extends BoxPlace {
  readonly address: string
  readonly daemon: Daemon
}

const BOX_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/k8s/bin'

/** Start a box and connect it to the hub. Its disk is what it was, if it ran before. */
export async function startBox(run: Run, hub: Hub, spec: BoxSpec): Promise<Box> {
  const folder = boxFolder(run, spec.name)
  for (const part of ['upper', 'work', 'root']) mkdirSync(join(folder, part), { recursive: true })
  const cgroups = spec.cgroups ? createCgroups(`${run.id}-${spec.name}`) : []
  run.ownCgroups(cgroups)
  emptyCgroups(cgroups)
  writeFileSync(join(folder, 'cgroups'), cgroups.map((path) => `${path}\n`).join(''))
  writeFileSync(join(folder, 'binds'), spec.binds.map(([source, target]) => `${source}\t${target}\n`).join(''))
  const command = ['bash', projectFile('src/box/box.sh'), folder, spec.root, spec.name, spec.init, ...cgroups]
  const daemon = await run.start({ name: `box ${spec.name}`, command, logFile: join(folder, 'box.log') }, 'kill')
  const pid = await until(`box ${spec.name} to start`, () => bootedIn(daemon), {
    timeoutMs: 30_000,
    everyMs: 10,
    giveUpWhen: () => whyEnded(daemon),
  })
  await connectToHub(hub, { name: spec.name, pid, address: spec.address, routes: spec.routes ?? [] })
  return { name: spec.name, address: spec.address, folder, pid, daemon }
}

/** End a box as a power cut would. Its disk stays. */
export async function killBox(run: Run, box: Box): Promise<void> {
  const first = findProcess(box.pid)
  await killDaemon(box.daemon)
  // Its first process is the last to end; until then its disk is in use.
  await untilTrue(`${box.name} to end`, () => first === undefined || !isAlive(first), { timeoutMs: 20_000, everyMs: 5 })
  run.forget(box.daemon)
}

/** Run a command inside a box to its end. */
export async function runIn(box: BoxPlace, command: readonly string[], options: RunOptions): Promise<RunResult> {
  return runCommand(commandIn(box, command), options)
}

/** Start a daemon inside a box. It ends with the box at the latest, so the box is all that is remembered of it. */
export async function startIn(
  run: Run,
  box: Box,
  name: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Daemon> {
  const daemon = await run.start(
    {
      name: `${name} in ${box.name}`,
      command: commandIn(box, command, env),
      logFile: join(box.folder, 'log', `${name}.log`),
    },
    'kill',
  )
  run.forget(daemon)
  return daemon
}

function commandIn(box: BoxPlace, command: readonly string[], env: Readonly<Record<string, string>> = {}): string[] {
  const variables = Object.entries({ PATH: BOX_PATH, HOME: '/root', TERM: 'xterm', ...env }).map(
    ([name, value]) => `${name}=${value}`,
  )
  return [
    'bash',
    projectFile('src/box/enter.sh'),
    String(box.pid),
    join(box.folder, 'cgroups'),
    'env',
    '-i',
    ...variables,
    ...command,
  ]
}

/** Where the disk and the logs of a box are. */
export function boxFolder(run: Run, name: string): string {
  return join(run.folder, name)
}

function bootedIn({ id }: Daemon): number | undefined {
  const [pid] = childrenOf(id.pid)
  return pid !== undefined && existsSync(`/proc/${pid}/root/run/.box-ready`) ? pid : undefined
}
