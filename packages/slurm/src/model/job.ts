import type { JobStateWord } from '../states/job-state-words.ts'
import type { Bounded } from '../values/no-value.ts'

/** A Slurm job as slurmctld described it, the same for every REST version. Times in epoch milliseconds. */
export interface SlurmJob {
  readonly id: number
  /** One base state and any number of flags. Ask the words in `states/`, do not compare. */
  readonly states: readonly JobStateWord[]
  readonly name: string
  readonly userName: string
  readonly userId: number | undefined
  readonly account: string
  readonly qos: string
  readonly partition: string
  readonly reservation: string
  /** The nodes it has, as a hostlist such as `gpu-[1-3]`; empty while it waits. */
  readonly nodes: string
  readonly requiredNodes: string
  readonly excludedNodes: string
  readonly batchHost: string
  readonly features: string
  readonly nodeCount: number | undefined
  readonly cpus: number | undefined
  readonly tresRequested: string
  readonly tresAllocated: string
  /** Why it waits or ended, as one word of Slurm's: `None`, `Resources`, `JobHeldUser`. */
  readonly stateReason: string
  readonly stateDescription: string
  readonly held: boolean
  readonly mayRequeue: boolean
  readonly restarts: number | undefined
  readonly submittedAtMs: number | undefined
  readonly eligibleAtMs: number | undefined
  readonly startedAtMs: number | undefined
  /** For a running job the time it must end at; a year ahead stands for no limit. */
  readonly endsAtMs: number | undefined
  readonly timeLimitInMinutes: Bounded
  readonly priority: Bounded
  readonly arrayJobId: number | undefined
  readonly arrayTaskId: number | undefined
  readonly exitCode: number | undefined
  readonly comment: string
  readonly adminComment: string
  readonly extra: string
}

/** The short answer of `/jobs/state/`: a hundredth of the bytes of the long one. */
export interface SlurmJobState {
  /** `12`, or `12_3` for a task of an array. */
  readonly id: string
  readonly states: readonly JobStateWord[]
}
