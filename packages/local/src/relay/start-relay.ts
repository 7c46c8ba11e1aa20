import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { lastLines, whyEnded, type Daemon } from '../machine/daemon.ts'
import { untilTrue } from '../machine/until.ts'
import { projectFile } from '../programs/project-files.ts'
import type { Run } from '../runs/run.ts'
import { FRONT_IS_OPEN } from './protocol.ts'

const LONGEST_SOCKET_PATH = 100

/** The file through which a relay of this run is reached. */
export function relaySocket(run: Run): string {
  const file = join(run.folder, 'relay.sock')
  if (Buffer.byteLength(file) <= LONGEST_SOCKET_PATH) return file
  throw new Error(
    `Cannot use ${file} as a socket: the path is longer than the kernel allows. Set XDG_CACHE_HOME to a shorter folder.`,
  )
}

/** Start the relay in the network of a process. */
export async function startRelay(run: Run, pid: number, dnsServer?: string): Promise<Daemon> {
  const socketFile = relaySocket(run)
  const program = [
    process.execPath,
    projectFile('src/relay/inside.ts'),
    socketFile,
    ...(dnsServer === undefined ? [] : [dnsServer]),
  ]
  const command = ['nsenter', '-t', String(pid), '--net', ...program]
  const daemon = await run.start({ name: 'relay', command, logFile: join(run.folder, 'relay.log') }, 'kill')
  await untilTrue('the relay to listen', () => existsSync(socketFile), {
    timeoutMs: 20_000,
    giveUpWhen: () => whyEnded(daemon),
  })
  return daemon
}

/** Start a door on 127.0.0.1 that leads to one target inside, and outlives us if the run does. It is open when this returns. */
export async function startFront(run: Run, port: number, target: { host: string; port: number }): Promise<Daemon> {
  const args = [port, relaySocket(run), target.host, target.port].map(String)
  const command = [process.execPath, projectFile('src/relay/front.ts'), ...args]
  const logFile = join(run.folder, `front-${port}.log`)
  rmSync(logFile, { force: true })
  const daemon = await run.start({ name: `port ${port}`, command, logFile }, 'kill')
  // Its own word: somebody else may have taken the port in this moment, and would let us in too.
  const isOpen = () => lastLines(logFile, 1) === FRONT_IS_OPEN
  await untilTrue(`port ${port} to open`, isOpen, { timeoutMs: 30_000, giveUpWhen: () => whyEnded(daemon) })
  return daemon
}
