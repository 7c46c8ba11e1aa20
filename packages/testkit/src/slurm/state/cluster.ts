/**
 * The memory of one slurmctld and its agenda: what will happen by itself, and when. Nothing here waits for anything.
 * Whoever looks calls `settle` first, and then all that was due by then has happened, each at its own moment.
 *
 * @module
 */
import { Timeline } from '../../clock/timeline.ts'
import { holdsNodes, type JobRecord, type NodeRecord, type ReservationRecord } from './records.ts'

/** The kinds of records. */
export type RecordKind = 'nodes' | 'jobs' | 'reservations'

/** How long things take in this Slurm. */
export interface Pace {
  /** From a submission, or the end of a job, to the scheduler. */
  readonly schedulingMs: number
  /** From the end of a job to its nodes being free. */
  readonly completingMs: number
  /** From the start of a job to slurmctld giving up to hand it to a slurmd that does not answer. */
  readonly launchingMs: number
  /** From RESUME to the first answer of slurmd. */
  readonly respondingMs: number
  /** From the start of a reservation to its nodes showing it. */
  readonly reservingMs: number
  /** A requeued job waits so long. */
  readonly requeueMs: number
  readonly slurmdTimeoutMs: number
}

/** Everything that a slurmctld writes to its disk. */
export interface SavedState {
  readonly nodes: ReadonlyMap<string, NodeRecord>
  readonly jobs: ReadonlyMap<number, JobRecord>
  readonly reservations: ReadonlyMap<string, ReservationRecord>
  readonly nextJobId: number
}

/** Told of every new, replaced and removed record, at its moment. */
export type ChangeListener = (kind: RecordKind, name: string, atMs: number) => void

const nobody: ReadonlySet<number> = new Set()

/** See the module. */
export class Cluster {
  readonly pace: Pace
  /** How far the clock of Slurm's machine is ahead of the right time. */
  skewMs = 0
  nextJobId = 1
  isSchedulerDue = false
  readonly #nodes = new Map<string, NodeRecord>()
  readonly #jobs = new Map<number, JobRecord>()
  readonly #reservations = new Map<string, ReservationRecord>()
  readonly #jobsByNode = new Map<string, Set<number>>()
  readonly #changedAtMs = { nodes: 0, jobs: 0, reservations: 0 }
  readonly #listeners = new Set<ChangeListener>()
  #agenda = new Timeline()
  #isSettling = false
  #nowMs: number

  constructor(pace: Pace, nowMs: number) {
    this.pace = pace
    this.#nowMs = nowMs
  }

  /** The moment that is being lived; steady. */
  get nowMs(): number {
    return this.#nowMs
  }

  /** The time that Slurm's machine shows. */
  get wallMs(): number {
    return this.#nowMs + this.skewMs
  }

  get nodes(): ReadonlyMap<string, NodeRecord> {
    return this.#nodes
  }

  get jobs(): ReadonlyMap<number, JobRecord> {
    return this.#jobs
  }

  get reservations(): ReadonlyMap<string, ReservationRecord> {
    return this.#reservations
  }

  /** The jobs that keep a node. */
  jobsOn(name: string): ReadonlySet<number> {
    return this.#jobsByNode.get(name) ?? nobody
  }

  /** When a kind last changed, as Slurm's machine saw it. */
  changedAtMs(kind: RecordKind): number {
    return this.#changedAtMs[kind]
  }

  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Do this at that moment, if time ever gets there with this memory. */
  plan(atMs: number, action: () => void): void {
    this.#agenda.add(atMs, action)
  }

  /** Live until this moment. Whoever looks while it happens sees it as it is then. */
  settle(untilMs: number): void {
    if (this.#isSettling) return
    this.#isSettling = true
    try {
      this.#liveUntil(untilMs)
    } finally {
      this.#isSettling = false
    }
  }

  #liveUntil(untilMs: number): void {
    for (let next = this.#agenda.peek(); next && next.atMs <= untilMs; next = this.#agenda.peek()) {
      this.#agenda.take()
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.action()
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs)
  }

  putNode(node: NodeRecord): void {
    this.#nodes.set(node.name, node)
    this.#changed('nodes', node.name)
  }

  removeNode(name: string): void {
    if (this.#nodes.delete(name)) this.#changed('nodes', name)
  }

  putJob(job: JobRecord): void {
    const before = this.#jobs.get(job.id)
    this.#jobs.set(job.id, job)
    this.#changed('jobs', String(job.id))
    this.#index(job.id, before, job)
  }

  removeJob(id: number): void {
    const before = this.#jobs.get(id)
    if (!this.#jobs.delete(id)) return
    this.#changed('jobs', String(id))
    this.#index(id, before, undefined)
  }

  putReservation(reservation: ReservationRecord): void {
    this.#reservations.set(reservation.name, reservation)
    this.#changed('reservations', reservation.name)
    for (const name of reservation.nodes) this.#changed('nodes', name)
  }

  removeReservation(name: string): void {
    const before = this.#reservations.get(name)
    if (!this.#reservations.delete(name)) return
    this.#changed('reservations', name)
    for (const node of before?.nodes ?? []) this.#changed('nodes', node)
  }

  /** What is on the disk when everything is written down. */
  save(): SavedState {
    return {
      nodes: new Map(this.#nodes),
      jobs: new Map(this.#jobs),
      reservations: new Map(this.#reservations),
      nextJobId: this.nextJobId,
    }
  }

  /** Forget everything, the agenda too, and read this. When slurmd began is not on the disk. */
  load(saved: SavedState): void {
    this.#agenda = new Timeline()
    this.isSchedulerDue = false
    for (const id of [...this.#jobs.keys()]) this.removeJob(id)
    for (const name of [...this.#reservations.keys()]) this.removeReservation(name)
    for (const name of [...this.#nodes.keys()]) this.removeNode(name)
    for (const node of saved.nodes.values()) this.putNode({ ...node, bootAtMs: undefined, slurmdStartAtMs: undefined })
    for (const job of saved.jobs.values()) this.putJob(job)
    for (const reservation of saved.reservations.values()) this.putReservation(reservation)
    this.nextJobId = saved.nextJobId
  }

  /** Something that is in no record has changed, such as the time of the last ping. */
  touch(kind: RecordKind): void {
    this.#changedAtMs[kind] = this.wallMs
  }

  /** A job that takes or frees a node changes the node. */
  #index(id: number, before: JobRecord | undefined, after: JobRecord | undefined): void {
    const held = before && holdsNodes(before) ? before.nodes : []
    const holds = after && holdsNodes(after) ? after.nodes : []
    for (const name of held) if (!holds.includes(name)) this.#jobsByNode.get(name)?.delete(id)
    for (const name of holds) this.#jobsByNode.set(name, (this.#jobsByNode.get(name) ?? new Set()).add(id))
    for (const name of new Set([...held, ...holds])) if (this.#nodes.has(name)) this.#changed('nodes', name)
  }

  #changed(kind: RecordKind, name: string): void {
    this.touch(kind)
    for (const listener of this.#listeners) listener(kind, name, this.#nowMs)
  }
}
