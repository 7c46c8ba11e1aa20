import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { boxFolder, killBox, runIn, startBox, startIn, type Box } from '../box/box.ts'
import type { Hub } from '../box/hub.ts'
import { whyEnded, type Daemon } from '../machine/daemon.ts'
import { childrenOf, findProcess, isAlive, signal } from '../machine/process-id.ts'
import type { RunOptions, RunResult } from '../machine/run.ts'
import { untilTrue } from '../machine/until.ts'
import type { Run } from '../runs/run.ts'
import type { DaemonPlan } from './build-daemon.ts'
import { isReady } from './is-ready.ts'
import { addressOf, type DaemonName } from './layout.ts'
import { writeDisk } from './write-disk.ts'

/** Everything that the boxes of one Slurm share. */
export interface SlurmPlace {
  readonly run: Run
  readonly hub: Hub
  readonly hostsFile: string
  readonly relaySocket: string
}

const READY_TIMEOUT_MS = 120_000
const END_TIMEOUT_MS = 120_000 // slurmctld first waits for what it has asked of workers that do not answer

/** The daemons of a Slurm, each in a box of its own: which there are, and what can happen to them. */
export class Daemons {
  readonly #place: SlurmPlace
  readonly #plans = new Map<DaemonName, DaemonPlan>()
  readonly #boxes = new Map<DaemonName, Box>()
  readonly #running = new Map<DaemonName, Daemon>()
  /** How long the log of each was when it was last told to start. */
  readonly #logLengths = new Map<DaemonName, number>()

  constructor(place: SlurmPlace) {
    this.#place = place
  }

  /** Make the box of a daemon with a fresh disk. Nothing runs in it yet. */
  async prepare(plan: DaemonPlan): Promise<void> {
    const folder = boxFolder(this.#place.run, plan.box)
    if (!existsSync(folder)) writeDisk(folder, plan.files)
    this.#plans.set(plan.name, plan)
    await this.#powerOn(plan)
  }

  /** Take another plan for a daemon, such as that of another release, on its old disk. It does not run afterwards. */
  async replace(plan: DaemonPlan): Promise<void> {
    if (this.#boxes.has(plan.name)) await this.cutPower(plan.name)
    writeDisk(boxFolder(this.#place.run, plan.box), plan.files)
    this.#plans.set(plan.name, plan)
    await this.#powerOn(plan)
  }

  /** Start a daemon and wait until it says that it is ready; boots its box first if that has no power. */
  async start(name: DaemonName): Promise<void> {
    const plan = this.#plan(name)
    if (this.#isRunning(name)) throw new Error(`Cannot start ${name}: it runs. Stop it first, or restart it.`)
    if (!this.#boxes.has(name)) await this.#powerOn(plan)
    this.expectStart(name)
    const daemon = await startIn(this.#place.run, this.box(name), plan.program, plan.command, plan.env)
    this.#running.set(name, daemon)
    await this.untilReady(name)
  }

  /** It is about to start, or to start anew by itself: what it has said so far does not count. */
  expectStart(name: DaemonName): void {
    this.#logLengths.set(name, this.#readLog(name).length)
  }

  /** Wait until a started daemon says that it is ready. */
  async untilReady(name: DaemonName): Promise<void> {
    const plan = this.#plan(name)
    const daemon = this.#running.get(name)
    await untilTrue(`${name} to get ready`, async () => this.#hasSaid(plan) && isReady(this.#place.relaySocket, plan), {
      timeoutMs: READY_TIMEOUT_MS,
      giveUpWhen: () => (daemon === undefined ? `${name} was never started` : whyEnded(daemon)),
    })
  }

  /** End a daemon at once, as a crash would. Other processes of its box, such as running jobs, stay. */
  async kill(name: DaemonName): Promise<void> {
    await this.#end(name, 'SIGKILL')
  }

  /** Ask a daemon to end and wait until it has. */
  async stop(name: DaemonName): Promise<void> {
    await this.#end(name, 'SIGTERM')
  }

  /** End the whole box at once. Its disk stays. */
  async cutPower(name: DaemonName): Promise<void> {
    await killBox(this.#place.run, this.box(name))
    this.#boxes.delete(name)
    this.#running.delete(name)
  }

  async restart(name: DaemonName): Promise<void> {
    if (this.#isRunning(name)) await this.stop(name)
    await this.start(name)
  }

  /** End the box of a daemon for good, with its disk. */
  async remove(name: DaemonName): Promise<void> {
    const { box } = this.#plan(name)
    if (this.#boxes.has(name)) await this.cutPower(name)
    this.#plans.delete(name)
    rmSync(boxFolder(this.#place.run, box), { recursive: true, force: true, maxRetries: 5 })
  }

  /** The box of a daemon while it has power. */
  box(name: DaemonName): Box {
    const box = this.#boxes.get(name)
    if (box !== undefined) return box
    throw new Error(`Cannot reach the box of ${name}: with power are ${[...this.#boxes.keys()].join(', ') || 'none'}`)
  }

  async runIn(name: DaemonName, command: readonly string[], options: RunOptions): Promise<RunResult> {
    return runIn(this.box(name), command, options)
  }

  async #powerOn({ name, box, root }: DaemonPlan): Promise<void> {
    const { run, hub, hostsFile } = this.#place
    const started = await startBox(run, hub, {
      name: box,
      root,
      init: '/usr/bin/tini',
      address: addressOf(name),
      binds: [[hostsFile, '/etc/hosts']],
      cgroups: false,
    })
    this.#boxes.set(name, started)
  }

  // What we have started is the way into the box; the daemon is its only child and the one that must get the signal.
  async #end(name: DaemonName, by: NodeJS.Signals): Promise<void> {
    const way = this.#running.get(name)
    if (way === undefined || !isAlive(way.id)) throw new Error(`Cannot end ${name}: it does not run. Start it first.`)
    for (const pid of childrenOf(way.id.pid)) {
      const inside = findProcess(pid)
      if (inside !== undefined) signal(inside, by)
    }
    await untilTrue(`${name} to end`, () => !isAlive(way.id), { timeoutMs: END_TIMEOUT_MS, everyMs: 10 })
    this.#running.delete(name)
  }

  #hasSaid({ name, saysWhenReady = '' }: DaemonPlan): boolean {
    return this.#readLog(name).indexOf(saysWhenReady, this.#logLengths.get(name) ?? 0) >= 0
  }

  #readLog(name: DaemonName): string {
    const { box, program } = this.#plan(name)
    const file = join(boxFolder(this.#place.run, box), 'log', `${program}.log`)
    return existsSync(file) ? readFileSync(file, 'latin1') : ''
  }

  #isRunning(name: DaemonName): boolean {
    const daemon = this.#running.get(name)
    return daemon !== undefined && isAlive(daemon.id)
  }

  #plan(name: DaemonName): DaemonPlan {
    const plan = this.#plans.get(name)
    if (plan !== undefined) return plan
    throw new Error(`Cannot find ${name}: this Slurm has ${[...this.#plans.keys()].join(', ')}`)
  }
}
