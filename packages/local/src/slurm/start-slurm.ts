/**
 * A real Slurm without Kubernetes: each daemon in a box of its own, on a network that the machine does not see. It is
 * ready in seconds, and what Slurm calls a cluster of workers fits on two cores.
 *
 * @module
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startHub } from '../box/hub.ts'
import { requireBoxes } from '../box/require-boxes.ts'
import { ensureArtefact } from '../cache/cache.ts'
import { messageOf } from '../machine/message-of.ts'
import { progressToStderr, type Progress } from '../progress/progress.ts'
import { rootIn, slurmRootOf } from '../programs/roots.ts'
import { SLURM_RELEASE, type SlurmRelease } from '../programs/versions.ts'
import { relaySocket, startRelay } from '../relay/start-relay.ts'
import { beginRun, type Run } from '../runs/run.ts'
import { buildDaemon, createSlurmKeys, DEFAULT_WORKER_CONF, type SlurmSettings } from './build-daemon.ts'
import { Daemons, type SlurmPlace } from './daemons.ts'
import { buildHandle } from './handle.ts'
import { HUB_ADDRESS, HUB_PREFIX_LENGTH, hostsFile, type DaemonName } from './layout.ts'
import { createRestDoor, type RestDoor } from './rest-door.ts'
import { saveFirstState } from './save-state.ts'
import type { Slurm, SlurmOptions } from './slurm.ts'
import { readSlurmRoot, type SlurmRoot } from './slurm-root.ts'
import { Workers } from './workers.ts'

/** Start a Slurm; it takes jobs, by REST too, when this returns. */
export async function startSlurm(options: SlurmOptions = {}): Promise<Slurm> {
  requireBoxes()
  const progress = options.progress ?? progressToStderr()
  const settings = await readSettings(options, progress)
  const run = await beginRun('slurm', options.lifetime ?? 'starter')
  try {
    return await progress.step('Slurm', settings.accounting ? 5 : 2, () =>
      boot({ run, settings, progress }, options.workers ?? 1),
    )
  } catch (error) {
    if (process.env['KEEP_FAILED_RUNS'] === undefined) await run.end()
    throw error
  }
}

/** Why Slurm of this release cannot be had here; makes it ready if it can. For tests that can do without. */
export async function whyNoRelease(release: SlurmRelease, progress: Progress): Promise<string | undefined> {
  try {
    await ensureRoot(release, progress)
    return undefined
  } catch (error) {
    return `Slurm ${release} cannot be had here: ${messageOf(error).split('\n')[0] ?? ''}`
  }
}

async function readSettings(options: SlurmOptions, progress: Progress): Promise<SlurmSettings> {
  const root = await (options.root === undefined
    ? ensureRoot(options.release ?? SLURM_RELEASE, progress)
    : readSlurmRoot(options.root))
  const accounting = options.accounting ?? true
  if (accounting && root.databaseFolder === undefined)
    throw new Error(
      `Cannot start accounting: ${root.folder} has no MariaDB. Install mariadb-server there, or pass accounting: false.`,
    )
  const { extraConfig = '', restFlags = [], users = [] } = options
  return { root, accounting, extraConfig, restFlags, users, keys: createSlurmKeys() }
}

async function ensureRoot(release: SlurmRelease, progress: Progress): Promise<SlurmRoot> {
  return readSlurmRoot(rootIn(await ensureArtefact(slurmRootOf(release), progress)))
}

interface Beginning {
  readonly run: Run
  readonly settings: SlurmSettings
  readonly progress: Progress
}

async function boot({ run, settings, progress }: Beginning, workerList: number | readonly string[]): Promise<Slurm> {
  const place = await preparePlace(run)
  const daemons = new Daemons(place)
  const workers = new Workers(daemons, settings, place)
  const door = await createRestDoor(run)
  await allOf(servicesOf(settings).map((name) => daemons.prepare(buildDaemon(name, settings))))
  const names = await allOf(confsOf(workerList).map((conf) => workers.prepare(conf)))
  await allOf([startRest(daemons, door), startInOrder(daemons, settings, () => workers.start(names))])
  await workers.untilRegistered(names)
  const jwtKeyFile = join(run.folder, 'jwt_hs256.key')
  writeFileSync(jwtKeyFile, settings.keys.jwt, { mode: 0o600 })
  run.state({ url: door.url, release: settings.root.release, jwtKeyFile, workers: names.join(' '), state: 'ready' })
  const rootOf = (release: SlurmRelease): Promise<SlurmRoot> => ensureRoot(release, progress)
  return buildHandle({ run, settings, daemons, workers, door, rootOf })
}

async function preparePlace(run: Run): Promise<SlurmPlace> {
  const hub = await startHub(run, HUB_ADDRESS, HUB_PREFIX_LENGTH)
  await startRelay(run, hub.daemon.id.pid)
  const file = join(run.folder, 'hosts')
  writeFileSync(file, hostsFile())
  return { run, hub, hostsFile: file, relaySocket: relaySocket(run) }
}

async function startRest(daemons: Daemons, door: RestDoor): Promise<void> {
  await daemons.start('slurmrestd')
  await door.open()
}

/** One after the other: each of them gives up, or waits five seconds, when the one before it is not there. */
async function startInOrder(
  daemons: Daemons,
  { accounting }: SlurmSettings,
  startWorkers: () => Promise<void>,
): Promise<void> {
  if (accounting) {
    await daemons.start('mariadb')
    await daemons.start('slurmdbd')
  }
  await daemons.start('slurmctld')
  await startWorkers()
  await saveFirstState(daemons, accounting)
}

function servicesOf({ accounting }: SlurmSettings): DaemonName[] {
  return [...(accounting ? (['mariadb', 'slurmdbd'] as const) : []), 'slurmctld', 'slurmrestd']
}

function confsOf(workers: number | readonly string[]): readonly string[] {
  return typeof workers === 'number' ? Array.from({ length: workers }, () => DEFAULT_WORKER_CONF) : workers
}

/** Wait for all, also when one has failed: what is still being started then would escape the clean-up. */
async function allOf<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}
