import { join } from 'node:path'
import type { Daemon } from '../machine/daemon.ts'
import { run as runCommand } from '../machine/run.ts'
import { untilTrue } from '../machine/until.ts'
import { readlinkSync } from 'node:fs'
import type { Run } from '../runs/run.ts'

/** The switch that boxes of one run are plugged into: a bridge in a network namespace that lives as long as a process. */
export interface Hub {
  readonly daemon: Daemon
  readonly address: string
  readonly prefixLength: number
}

/** A plug: the network of a process, its address, and more commands of `ip -batch` for it. */
export interface Plug {
  readonly name: string
  readonly pid: number
  readonly address: string
  readonly routes: readonly string[]
}

/** Start the switch. Nothing of it is visible in the network of the machine. */
export async function startHub(run: Run, address: string, prefixLength: number): Promise<Hub> {
  const daemon = await run.start(
    { name: 'hub', command: ['unshare', '--net', 'sleep', 'infinity'], logFile: join(run.folder, 'hub.log') },
    'kill',
  )
  const ownNet = readlinkSync('/proc/self/ns/net')
  await untilTrue('the network hub', () => readlinkSync(`/proc/${daemon.id.pid}/ns/net`) !== ownNet, {
    timeoutMs: 10_000,
    everyMs: 5,
  })
  await ipIn(daemon.id.pid, [
    'link set lo up',
    'link add br0 type bridge',
    `addr add ${address}/${prefixLength} dev br0`,
    'link set br0 up',
  ])
  return { daemon, address, prefixLength }
}

/** Connect the network of a process to the switch. */
export async function connectToHub(hub: Hub, { name, pid, address, routes }: Plug): Promise<void> {
  const { daemon, address: gateway, prefixLength } = hub
  const port = `v-${name}`.slice(0, 15)
  await ipIn(daemon.id.pid, [`link del ${port}`]).catch(() => {}) // of a box that has just ended: the kernel takes its time
  await ipIn(daemon.id.pid, [
    `link add ${port} type veth peer name eth0 address ${hardwareAddress(address)} netns ${pid}`,
    `link set ${port} master br0 up`,
  ])
  await ipIn(pid, [
    'link set lo up',
    `addr add ${address}/${prefixLength} dev eth0`,
    'link set eth0 up',
    `route add default via ${gateway}`,
    ...routes,
  ])
}

// The same after a reboot: others remember it for half a minute and would send into the void.
function hardwareAddress(address: string): string {
  const bytes = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))
  return ['02', '00', ...bytes].join(':')
}

/** Run commands of `ip -batch` in the network of a process. */
async function ipIn(pid: number, lines: readonly string[]): Promise<void> {
  await runCommand(['nsenter', '-t', String(pid), '--net', 'ip', '-batch', '-'], {
    input: `${lines.join('\n')}\n`,
    timeoutMs: 20_000,
  })
}
