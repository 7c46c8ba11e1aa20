/**
 * What slurmctld keeps in its memory. Records are never changed, only replaced, so that whoever holds one holds a
 * picture of a moment.
 *
 * Times are of the steady clock of the simulation: what people see is shifted by the skew of Slurm's machine.
 *
 * @module
 */

/** How a node came to be known. */
export type NodeOrigin = 'dynamic' | 'cloud' | 'external' | 'future'

/** Words of a node's state that somebody or something sets; all others follow from jobs and reservations. */
export type NodeFlag =
  | 'DRAIN'
  | 'NOT_RESPONDING'
  | 'FAIL'
  | 'POWERED_DOWN'
  | 'INVALID_REG'
  | 'REBOOT_REQUESTED'
  | 'REBOOT_ISSUED'

/** What a slurmd says about its machine. */
export interface NodeSize {
  readonly cpus: number
  readonly memoryMib: number
  /** As in slurm.conf: `gpu:a100:2`, or empty. */
  readonly gres: string
  readonly features: readonly string[]
}

/** A node as slurmctld knows it. */
export interface NodeRecord extends NodeSize {
  readonly name: string
  readonly origin: NodeOrigin
  /** Where slurmd registered from; empty before. */
  readonly address: string
  readonly isDown: boolean
  readonly flags: ReadonlySet<NodeFlag>
  readonly activeFeatures: readonly string[]
  readonly comment: string
  readonly extra: string
  readonly topology: string
  readonly weight: number
  readonly reason: string
  readonly reasonSetBy: string
  readonly reasonAtMs: number | undefined
  readonly bootAtMs: number | undefined
  readonly slurmdStartAtMs: number | undefined
  readonly lastBusyAtMs: number | undefined
}

/** The base states of a job that we simulate. */
export type JobState =
  | 'PENDING'
  | 'RUNNING'
  | 'SUSPENDED'
  | 'COMPLETED'
  | 'CANCELLED'
  | 'FAILED'
  | 'TIMEOUT'
  | 'NODE_FAIL'

/** What a job asks for. */
export interface JobWish {
  readonly name: string
  readonly user: string
  readonly partition: string
  readonly account: string
  readonly reservation: string
  /** Features that all its nodes must have: `a&b`. */
  readonly constraints: string
  readonly nodeCount: number
  readonly tasks: number
  readonly cpusPerTask: number
  /** Undefined: all memory of the node, as Slurm does when nobody says. */
  readonly memoryPerNodeMib: number | undefined
  readonly gpusPerNode: number
  readonly requiredNodes: readonly string[]
  readonly timeLimitInMinutes: number | 'infinite'
  readonly hold: boolean
  readonly requeue: boolean
  readonly workingDirectory: string
  readonly comment: string
  /** What its script does: so long, and then this exit code. */
  readonly runMs: number
  readonly exitCode: number
}

/** A job as slurmctld knows it. */
export interface JobRecord extends JobWish {
  readonly id: number
  readonly state: JobState
  /** Its end is being cleaned up; its nodes are not free yet. */
  readonly isCompleting: boolean
  readonly stateReason: string
  /** Where it runs or ran; empty before it starts. */
  readonly nodes: readonly string[]
  readonly failedNode: string
  readonly submittedAtMs: number
  readonly eligibleAtMs: number
  readonly startedAtMs: number | undefined
  readonly endedAtMs: number | undefined
  readonly restarts: number
  /** Since when it is suspended, and how long it was before. Its time does not go on meanwhile. */
  readonly suspendedAtMs: number | undefined
  readonly suspendedForMs: number
}

/** A reservation. Its times are those of people: milliseconds since 1970 on Slurm's machine. */
export interface ReservationRecord {
  readonly name: string
  readonly nodes: readonly string[]
  readonly flags: readonly string[]
  readonly users: readonly string[]
  readonly accounts: readonly string[]
  readonly partition: string
  readonly startsAtMs: number
  readonly endsAtMs: number
  /** It began, and slurmctld has noticed. */
  readonly isActive: boolean
}

/** A partition, as slurm.conf says. */
export interface PartitionSettings {
  readonly name: string
  readonly isDefault?: boolean
  /** Only nodes with this feature; all nodes unless said. */
  readonly feature?: string
}

/** CPUs of a job on each of its nodes. */
export function cpusPerNode({ tasks, cpusPerTask, nodeCount }: JobWish): number {
  return Math.max(1, Math.ceil((tasks * cpusPerTask) / nodeCount))
}

/** The features in `a&b`. */
export function featuresIn(constraints: string): readonly string[] {
  return constraints.split(/[&,]/).filter((feature) => feature !== '')
}

/** How many GPUs a gres text offers. */
export function gpusIn(gres: string): number {
  return Number(/^gpu(?::[^:,(]+)?:(\d+)/.exec(gres)?.[1] ?? 0)
}

/** Has it begun, and not ended? */
export function hasProcesses({ state }: JobRecord): boolean {
  return state === 'RUNNING' || state === 'SUSPENDED'
}

/** Is the job on its nodes? One that is suspended keeps them from nobody, but its processes are there. */
export function holdsNodes(job: JobRecord): boolean {
  return hasProcesses(job) || job.isCompleting
}
