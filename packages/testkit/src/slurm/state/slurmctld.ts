/**
 * One slurmctld and the machines it knows, through restarts, crashes and the loss of its disk.
 *
 * @module
 */
import { Timeline } from '../../clock/timeline.ts'
import { Cluster, type Pace, type SavedState } from './cluster.ts'
import { findWork, planCleanUp, planEnd, planForgetting } from './jobs.ts'
import { askAgain, planSilence, registerNode, requestReboot } from './nodes.ts'
import { isHeard, type Machine, type Parts } from './parts.ts'
import type { NodeSize, PartitionSettings } from './records.ts'
import { planReservation } from './reservations.ts'

/** What becomes of the memory of a slurmctld that starts again. */
export type Loss = 'nothing' | 'since-save' | 'everything'

/** Whether slurmctld can be asked: `away` is refused at once, `unreachable` is not answered at all. */
export type Presence = 'running' | 'away' | 'unreachable'

const nothingSaved: SavedState = { nodes: new Map(), jobs: new Map(), reservations: new Map(), nextJobId: 1 }

/** See the module. */
export class Slurmctld implements Parts {
  readonly cluster: Cluster
  readonly partitions: readonly PartitionSettings[]
  readonly machines = new Map<string, Machine>()
  readonly startedAtMs: number
  presence: Presence = 'running'
  #saved: SavedState = nothingSaved
  readonly #now: () => number
  /** Machines that boot; they come back whatever slurmctld does. */
  readonly #returns = new Timeline()

  constructor(pace: Pace, partitions: readonly PartitionSettings[], now: () => number) {
    this.#now = now
    this.startedAtMs = now()
    this.cluster = new Cluster(pace, now())
    this.partitions = partitions
  }

  /** Everything that is due has happened afterwards. While slurmctld is away, nothing happens in it. */
  settle(): void {
    for (let next = this.#returns.peek(); next && next.atMs <= this.#now(); next = this.#returns.peek()) {
      this.#returns.take()
      if (this.presence !== 'away') this.cluster.settle(next.atMs)
      next.action()
    }
    if (this.presence !== 'away') this.cluster.settle(this.#now())
  }

  /** Write everything to the disk. */
  saveState(): void {
    this.settle()
    this.#saved = this.cluster.save()
  }

  /** End it, or the way to it. What runs on the machines goes on. */
  end(how: Exclude<Presence, 'running'>): void {
    this.settle()
    this.presence = how
  }

  /** Begin again with what it still knows; slurmd that waited for it register. */
  start(loss: Loss): void {
    this.settle()
    this.presence = 'running'
    if (loss !== 'nothing') this.cluster.load(loss === 'since-save' ? this.#saved : nothingSaved)
    this.settle()
    if (loss !== 'nothing') this.#planAgain()
    for (const machine of this.machines.values()) this.#greet(machine)
  }

  /** slurmd starts on a machine, new or known. */
  startSlurmd(name: string, size: NodeSize, address?: string): void {
    this.settle()
    const before = this.machines.get(name)
    const place = { name, size, address: address ?? before?.address ?? name }
    this.#begin({ ...place, bootAtMs: before?.bootAtMs ?? this.#now(), sinceMs: this.#now() })
  }

  /** slurmd ends without a word. */
  stopSlurmd(name: string): void {
    this.settle()
    const machine = this.machines.get(name)
    if (!machine?.isUp) return
    const silent: Machine = { ...machine, isUp: false, sinceMs: this.#now(), wantsToRegister: false }
    this.machines.set(name, silent)
    if (this.presence === 'running') planSilence(this, name, silent.sinceMs)
  }

  /** Slurm reboots a machine as soon as it is free; it is back after that long. */
  reboot(name: string, takesMs: number): void {
    this.settle()
    requestReboot(this, name, () => {
      const machine = this.machines.get(name)
      if (!machine) return
      this.machines.set(name, { ...machine, isUp: false, sinceMs: this.cluster.nowMs, wantsToRegister: false })
      const backAtMs = this.cluster.nowMs + takesMs
      this.#returns.add(backAtMs, () => this.#begin({ ...machine, bootAtMs: backAtMs, sinceMs: backAtMs }))
    })
  }

  /** Somebody sets the clock of Slurm's machine. */
  setSkew(skewMs: number): void {
    this.settle()
    this.cluster.skewMs = skewMs
    for (const name of this.cluster.reservations.keys()) planReservation(this, name)
  }

  #begin(started: Omit<Machine, 'isUp' | 'wantsToRegister'>): void {
    const machine: Machine = { ...started, isUp: true, wantsToRegister: true }
    this.machines.set(machine.name, machine)
    if (this.presence === 'running') registerNode(this, machine)
  }

  #greet(machine: Machine): void {
    if (machine.wantsToRegister) registerNode(this, machine)
    else if (isHeard(this, machine.name)) askAgain(this, machine)
    else planSilence(this, machine.name, machine.sinceMs)
  }

  /** The agenda is not on the disk: it follows from what is. */
  #planAgain(): void {
    for (const job of this.cluster.jobs.values()) {
      if (job.isCompleting) planCleanUp(this, job.id)
      if (job.state === 'RUNNING') planEnd(this, job)
      else if (job.endedAtMs !== undefined) planForgetting(this, job.id, job.endedAtMs)
    }
    for (const name of this.cluster.reservations.keys()) planReservation(this, name)
    findWork(this)
  }
}
