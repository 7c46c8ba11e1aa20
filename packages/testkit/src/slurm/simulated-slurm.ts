/**
 * A Slurm that is none: slurmctld, slurmrestd and as many slurmd as you like, in one process, on a clock that you give.
 * It answers as 24.11 and 26.05 were seen to answer, it misbehaves when told to, and its truth can be looked up.
 *
 * The same seed and the same calls give the same answers, to the byte.
 *
 * @module
 */
import { mintToken, Secret, steadyClock, type Clock, type Transport } from '@slurm-operator/slurm'
import { createRandomSource } from '../random/random-source.ts'
import { DaemonLife } from './doors/daemon-life.ts'
import { inProcessTransport } from './doors/in-process.ts'
import { openPort, type SlurmDoor } from './doors/port.ts'
import { Faults, type Fault } from './faults.ts'
import { readLine, sizeOf } from './rest/node-routes.ts'
import { releases, type ReleaseName } from './rest/releases.ts'
import type { Backup, Restd } from './rest/restd.ts'
import type { LoggedRequest, RestdServer } from './serve.ts'
import type { ChangeListener, Pace } from './state/cluster.ts'
import { buildOrders, type AdministratorOrders } from './state/orders.ts'
import type { PartitionSettings } from './state/records.ts'
import { Slurmctld, type Loss, type Presence } from './state/slurmctld.ts'
import { buildTruth, type Truth } from './state/truth.ts'

/** What may be different. */
export interface SimulatedSlurmOptions {
  readonly clock: Clock
  readonly seed?: number | string
  readonly release?: ReleaseName
  /** How many workers, or what each says about itself: `['CPUs=2 RealMemory=1000 Feature=big']`. */
  readonly workers?: number | readonly string[]
  /** One with all nodes, called `all`, unless said. */
  readonly partitions?: readonly PartitionSettings[]
  readonly accounting?: boolean
  readonly pace?: Partial<Pace>
  /** The longest time that a request, or an answer, is on its way. */
  readonly latencyMs?: number
  readonly signingKey?: string | Uint8Array
  readonly clusterName?: string
}

/** See the module. */
export interface SimulatedSlurm {
  /** What it really is like, after everything that was due. */
  readonly truth: Truth
  /** What other people do, past slurmrestd. */
  readonly orders: AdministratorOrders
  readonly requests: readonly LoggedRequest[]
  readonly signingKey: Uint8Array
  /** A token for slurmrestd; `slurm` and `root` may do everything. */
  token(user?: string, seconds?: number): string
  /** A way to slurmrestd in this process. */
  openTransport(): Transport
  /** A way for other processes. The clock must be the system's. */
  listen(port?: number): Promise<SlurmDoor>
  /** Told of every record that changes, at its moment; moments pass when somebody looks. */
  onChange(listener: ChangeListener): () => void

  /** A new worker, registered when this returns if slurmctld runs. `conf` is what it says about itself. */
  addWorker(worker?: { readonly name?: string; readonly conf?: string; readonly address?: string }): string
  stopSlurmd(name: string): void
  /** slurmd starts, on a machine of another size if you say so. */
  startSlurmd(name: string, conf?: string): void
  /** Slurm reboots the machine when it is free. */
  rebootWorker(name: string, takesMs: number): void

  endController(how?: Exclude<Presence, 'running'>): void
  startController(loss?: Loss): void
  /**
   * A second slurmctld, or none any more. While it is active it does all that the first one would do, whose end and start
   * are not meant then.
   */
  setBackup(backup: Backup | undefined): void
  /** Write down all that slurmctld knows, for a start that loses what came since. */
  saveState(): void
  endRestd(): void
  startRestd(): void
  /** slurmrestd holds still (SIGSTOP). The answer lets it go on (SIGCONT), and then it does what it was told before. */
  stallRestd(): () => void
  /** slurmdbd and its database. */
  setAccountingAway(isAway: boolean): void

  /** slurmctld accepts only tokens that are signed with this from now on. */
  changeSigningKey(key: string | Uint8Array): void
  /** Another release of slurmrestd and slurmctld from now on. */
  changeRelease(release: ReleaseName): void
  /** Versions that slurmrestd serves instead of those of its release; undefined: those of its release. */
  serveVersions(versions: readonly string[] | undefined): void
  /** How far the clock of Slurm's machine is ahead. */
  setClockSkew(skewMs: number): void
  /** Misbehave until the answer is called. */
  misbehave(fault: Fault): () => void
}

const usualPace: Pace = {
  schedulingMs: 100,
  completingMs: 200,
  launchingMs: 10_000,
  respondingMs: 1000,
  reservingMs: 1500,
  requeueMs: 121_000,
  slurmdTimeoutMs: 10_000,
}
const usualConf = 'CPUs=2 RealMemory=2000'
const usualKey = 'the signing key of a simulated Slurm'
const TOKEN_SECONDS = 3600

/** Build one. Its workers are registered. */
export function createSimulatedSlurm(options: SimulatedSlurmOptions): SimulatedSlurm {
  const steady = steadyClock(options.clock)
  const pace = { ...usualPace, ...options.pace }
  const partitions = options.partitions ?? [{ name: 'all', isDefault: true }]
  const controller = new Slurmctld(pace, partitions, steady.now)
  const restd = buildRestd(options, controller)
  const life = new DaemonLife()
  const server: RestdServer = {
    restd,
    clock: options.clock,
    faults: new Faults(),
    requests: [],
    latencyMs: options.latencyMs ?? 5,
  }
  const slurm = buildHandle(server, life)
  for (const conf of confsOf(options.workers ?? 0)) slurm.addWorker({ conf })
  return slurm
}

function buildRestd(options: SimulatedSlurmOptions, controller: Slurmctld): Restd {
  return {
    controller,
    clusterName: options.clusterName ?? 'simulated',
    accounting: { isConfigured: options.accounting ?? true, isAway: false },
    random: createRandomSource(options.seed ?? 1).stream('slurm'),
    backup: undefined,
    release: releases[options.release ?? '26.05'],
    strangeVersions: undefined,
    signingKey: Buffer.from(options.signingKey ?? usualKey),
    countedUse: new Map(),
  }
}

function confsOf(workers: number | readonly string[]): readonly string[] {
  return typeof workers === 'number' ? Array.from({ length: workers }, () => usualConf) : workers
}

function buildHandle(server: RestdServer, life: DaemonLife): SimulatedSlurm {
  const { restd, faults } = server
  const { controller } = restd
  return {
    truth: buildTruth(controller),
    orders: buildOrders(controller),
    requests: server.requests,
    get signingKey() {
      return restd.signingKey
    },
    token: (user = 'slurm', seconds = TOKEN_SECONDS) => tokenFor(restd, user, seconds),
    openTransport: () => inProcessTransport(server, life),
    listen: (port) => openPort(server, life, port),
    onChange: (listener) => controller.cluster.onChange(listener),
    ...workerHands(controller),
    endController: (how = 'away') => controller.end(how),
    startController: (loss = 'nothing') => {
      controller.start(loss)
      if (loss !== 'nothing') restd.countedUse.clear()
    },
    setBackup: (backup) => {
      restd.backup = backup
    },
    saveState: () => controller.saveState(),
    endRestd: () => life.end(),
    startRestd: () => life.start(),
    stallRestd: () => faults.begin({ kind: 'stall' }),
    setAccountingAway: (isAway) => {
      restd.accounting.isAway = isAway
    },
    changeSigningKey: (key) => {
      restd.signingKey = Buffer.from(key)
    },
    changeRelease: (release) => {
      restd.release = releases[release]
    },
    serveVersions: (versions) => {
      restd.strangeVersions = versions
    },
    setClockSkew: (skewMs) => controller.setSkew(skewMs),
    misbehave: (fault) => faults.begin(fault),
  }
}

function workerHands(
  controller: Slurmctld,
): Pick<SimulatedSlurm, 'addWorker' | 'stopSlurmd' | 'startSlurmd' | 'rebootWorker'> {
  let count = 0
  return {
    addWorker: ({ name = `worker-${++count}`, conf = usualConf, address } = {}) => {
      controller.startSlurmd(name, sizeOf(readLine(conf)), address)
      return name
    },
    stopSlurmd: (name) => controller.stopSlurmd(name),
    startSlurmd: (name, conf) => {
      const size = conf === undefined ? controller.machines.get(name)?.size : sizeOf(readLine(conf))
      if (!size) throw new Error(`Cannot start slurmd on ${name}: there is no such worker. Add one first.`)
      controller.startSlurmd(name, size)
    },
    rebootWorker: (name, takesMs) => controller.reboot(name, takesMs),
  }
}

function tokenFor({ signingKey, controller, random }: Restd, user: string, seconds: number): string {
  controller.settle()
  const claims = { username: user, lifetimeSeconds: seconds, nowMs: controller.cluster.wallMs, random: random.next }
  return mintToken(new Secret(signingKey), claims).reveal().toString()
}
