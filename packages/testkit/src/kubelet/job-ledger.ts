/**
 * Which jobs really died, and with what: the oracle for "no job is ever lost". A job dies with the slurmd under it, on
 * whatever grounds that ended, or because somebody told Slurm so.
 *
 * @module
 */
import type { SimulatedSlurm } from '../slurm/simulated-slurm.ts'

/** A job that was running and is no more, not by its own end. */
export interface LostJob {
  readonly id: number
  readonly atMs: number
  /** The Slurm node. */
  readonly node: string
  /** The uid of the pod it ran in, if it died with one. */
  readonly pod: string | undefined
  readonly because: string
}

interface Running {
  readonly nodes: readonly string[]
  readonly startedAtMs: number
}

/** See the module. */
export class JobLedger {
  readonly #slurm: SimulatedSlurm
  readonly #now: () => number
  readonly #running = new Map<number, Running>()
  readonly #lost: LostJob[] = []
  /** The Slurm nodes whose slurmd runs, and since when. */
  readonly #up = new Map<string, number>()
  #excuse: string | undefined

  constructor(slurm: SimulatedSlurm, now: () => number) {
    this.#slurm = slurm
    this.#now = now
    slurm.onChange((kind, name) => {
      if (kind === 'jobs') this.#follow(Number(name))
    })
  }

  get lost(): readonly LostJob[] {
    return this.#lost
  }

  /** The jobs that run on a node since a slurmd began there: older ones are ghosts of a lost memory. */
  runningOn(node: string, sinceMs: number): number[] {
    const held = this.#slurm.truth.node(node)?.jobs ?? []
    return held.filter((id) => (this.#running.get(id)?.startedAtMs ?? -Infinity) >= sinceMs)
  }

  /** slurmd runs on this node from now on. */
  begin(node: string): void {
    this.#up.set(node, this.#now())
  }

  /** It does not any more. */
  end(node: string): void {
    this.#up.delete(node)
  }

  /** The machine under these jobs ends. */
  die(ids: readonly number[], node: string, pod: string, because: string): void {
    for (const id of ids) {
      if (!this.#running.delete(id)) continue
      this.#lost.push({ id, node, pod, because, atMs: this.#now() })
    }
  }

  /** On whose account things happen now; undefined: nobody here. */
  get excused(): string | undefined {
    return this.#excuse
  }

  /** Whatever jobs Slurm ends meanwhile end for this reason, and nobody is to blame. */
  excuse<T>(because: string, action: () => T): T {
    const before = this.#excuse
    this.#excuse = because
    try {
      return action()
    } finally {
      this.#excuse = before
    }
  }

  /** Slurm took a job off its nodes although it had not ended: somebody must have told it to. */
  #follow(id: number): void {
    const job = this.#slurm.truth.job(id)
    if (job?.state === 'RUNNING' || job?.state === 'SUSPENDED') {
      const { nodes, startedAtMs = 0 } = job
      if (nodes.every((node) => this.#slurm.truth.node(node)?.isHeard)) this.#running.set(id, { nodes, startedAtMs })
      return
    }
    const running = this.#running.get(id)
    if (running === undefined) return
    const { nodes, startedAtMs } = running
    this.#running.delete(id)
    const hasEnded = job === undefined || ['COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED'].includes(job.state)
    // A job that is older than one of its slurmds died with the one before.
    const neverRan = nodes.some((node) => startedAtMs < (this.#up.get(node) ?? Infinity))
    if (hasEnded || neverRan || this.#excuse !== undefined) return
    const [node = ''] = nodes
    this.#lost.push({ id, node, pod: undefined, because: 'Slurm was told that its node is down', atMs: this.#now() })
  }
}
