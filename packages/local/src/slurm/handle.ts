import type { RunResult } from '../machine/run.ts'
import type { Run } from '../runs/run.ts'
import type { SlurmRelease } from '../programs/versions.ts'
import { buildDaemon, passwdWith, type SlurmSettings } from './build-daemon.ts'
import type { Daemons } from './daemons.ts'
import { isWorker, type DaemonName, type ServiceName } from './layout.ts'
import type { RestDoor } from './rest-door.ts'
import { saveState } from './save-state.ts'
import type { CommandOptions, Slurm } from './slurm.ts'
import { userIdIn, type SlurmRoot } from './slurm-root.ts'
import { mintToken } from './token.ts'
import type { Workers } from './workers.ts'

const TOKEN_SECONDS = 3600
const COMMAND_TIMEOUT_MS = 60_000

/** The parts of a running Slurm. */
export interface SlurmParts {
  readonly run: Run
  readonly settings: SlurmSettings
  readonly daemons: Daemons
  readonly workers: Workers
  readonly door: RestDoor
  readonly rootOf: (release: SlurmRelease) => Promise<SlurmRoot>
}

/** What callers of a running Slurm hold in their hands. */
export function buildHandle(parts: SlurmParts): Slurm {
  const { run, settings, daemons, workers, door } = parts
  return {
    id: run.id,
    folder: run.folder,
    release: settings.root.release,
    url: door.url,
    jwtKey: settings.keys.jwt,
    token: (user = 'slurm', seconds = TOKEN_SECONDS) => mintToken(settings.keys.jwt, user, seconds),
    run: (command, options = {}) => runAs(parts, command, options),
    workers: () => workers.names(),
    addWorker: async ({ conf } = {}) => {
      const name = await workers.prepare(conf)
      await workers.start([name])
      return name
    },
    removeWorker: (name) => workers.remove(name),
    saveState: () => saveState(daemons),
    killDaemon: (name) => end(parts, name, () => daemons.kill(name)),
    stopDaemon: (name) => end(parts, name, () => daemons.stop(name)),
    cutPower: (name) => end(parts, name, () => daemons.cutPower(name)),
    restartDaemon: (name) => restart(parts, name),
    replaceDaemon: (name, release) => replace(parts, name, release),
    stop: () => run.end(),
    [Symbol.asyncDispose]: () => run.end(),
  }
}

async function runAs(
  { settings, daemons }: SlurmParts,
  command: readonly string[],
  { user = 'root', on = 'slurmctld', timeoutMs = COMMAND_TIMEOUT_MS, input = '' }: CommandOptions,
): Promise<RunResult> {
  const id = String(userIdIn(passwdWith(settings), user))
  const asUser = ['setpriv', '--reuid', id, '--regid', id, '--clear-groups', '--', 'env', '--chdir=/tmp']
  return daemons.runIn(on, [...asUser, ...command], { timeoutMs, input })
}

async function end({ door }: SlurmParts, name: DaemonName, ending: () => Promise<void>): Promise<void> {
  if (name === 'slurmrestd') await door.close()
  await ending()
}

async function restart({ daemons, workers, door }: SlurmParts, name: DaemonName): Promise<void> {
  if (name === 'slurmrestd') await door.close()
  await daemons.restart(name)
  if (name === 'slurmrestd') await door.open()
  if (isWorker(name)) await workers.untilRegistered([name])
}

async function replace(parts: SlurmParts, name: ServiceName, release: SlurmRelease): Promise<void> {
  const { settings, daemons, door } = parts
  const root = await parts.rootOf(release) // before anything ends: it may take minutes
  if (name === 'slurmrestd') await door.close()
  await daemons.replace(buildDaemon(name, { ...settings, root }))
  await restart(parts, name)
}
