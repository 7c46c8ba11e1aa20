/**
 * Processes that go on running: started with their output in a file, found again by identity, stopped with a deadline.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { findProcess, isAlive, signal, type ProcessId } from './process-id.ts'
import { endingWithUs } from './run.ts'
import { untilTrue } from './until.ts'

/**
 * Whose life a daemon shares: `starter` means that the kernel ends it when the process that started it dies, however
 * suddenly; `detached` means that it runs until somebody stops it.
 */
export type Lifetime = 'starter' | 'detached'

/** What to start. */
export interface DaemonSpec {
  readonly name: string
  readonly command: readonly string[]
  readonly logFile: string
  readonly lifetime: Lifetime
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A started daemon. It can be written to a file and used again by another process. */
export interface Daemon {
  readonly name: string
  readonly logFile: string
  readonly id: ProcessId
}

/** Start a daemon. It is running when this returns; whether it is *ready* is for the caller to find out. */
export async function startDaemon(spec: DaemonSpec): Promise<Daemon> {
  mkdirSync(dirname(spec.logFile), { recursive: true })
  const log = openSync(spec.logFile, 'a')
  try {
    const [program = '', ...args] = withLifetime(spec)
    const child = spawn(program, args, {
      detached: true, // a Ctrl-C in the terminal is for us to handle, not for the daemon
      stdio: ['ignore', log, log],
      env: { ...process.env, ...spec.env },
      ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (cause) => reject(new Error(`Cannot start ${spec.name}: ${cause.message}`, { cause })))
    })
    child.unref()
    return { name: spec.name, logFile: spec.logFile, id: identityOf(child.pid, spec) }
  } finally {
    closeSync(log)
  }
}

/** Ask a daemon to end, and make it end when it does not. */
export async function stopDaemon({ id, name }: Daemon, { graceMs = 5_000 } = {}): Promise<void> {
  if (signal(id, 'SIGTERM'))
    await untilTrue(`${name} to stop`, () => !isAlive(id), { timeoutMs: graceMs }).catch(() => {})
  await killDaemon({ id, name })
}

/** End a daemon at once, as a power cut would. */
export async function killDaemon({ id, name }: Pick<Daemon, 'id' | 'name'>): Promise<void> {
  signal(id, 'SIGKILL')
  await untilTrue(`${name} (process ${id.pid}) to end`, () => !isAlive(id), { timeoutMs: 20_000, everyMs: 10 })
}

/** For `until`: why waiting for this daemon makes no sense any more, with the end of its log. */
export function whyEnded(daemon: Daemon): string | undefined {
  if (isAlive(daemon.id)) return undefined
  return `${daemon.name} has ended. The end of ${daemon.logFile}:\n${lastLines(daemon.logFile, 12)}`
}

/** The last lines of a log, for error texts. */
export function lastLines(file: string, count: number): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
  } catch {
    return '(no log)'
  }
}

function withLifetime({ command, lifetime }: DaemonSpec): readonly string[] {
  return lifetime === 'detached' ? command : endingWithUs(command)
}

function identityOf(pid: number | undefined, { name, logFile }: DaemonSpec): ProcessId {
  const id = pid === undefined ? undefined : findProcess(pid)
  if (id === undefined)
    throw new Error(`Cannot start ${name}: it ended at once. ${logFile} says:\n${lastLines(logFile, 12)}`)
  return id
}
