import type { Bounded } from '../values/no-value.ts'

/** A partition as slurmctld described it, the same for every REST version. */
export interface SlurmPartition {
  readonly name: string
  /** `UP`, `DOWN`, `DRAIN`, `INACTIVE` or a word of a later release. */
  readonly states: readonly string[]
  /** Undefined before v0.0.45, which does not tell it. */
  readonly isDefault: boolean | undefined
  /** Its nodes as a hostlist. */
  readonly nodes: string
  /** As it was configured: `ALL`, names, or names of Slurm nodeset lines. */
  readonly nodeSets: string
  readonly nodeCount: number | undefined
  readonly cpus: number | undefined
  readonly tres: string
  readonly maximumTimeInMinutes: Bounded
  readonly defaultTimeInMinutes: Bounded
  readonly maximumNodes: Bounded
  readonly minimumNodes: number | undefined
  readonly priorityTier: number | undefined
  readonly priorityJobFactor: number | undefined
  readonly allowedAccounts: string
  readonly deniedAccounts: string
  readonly allowedGroups: string
  readonly allowedQos: string
  readonly topology: string | undefined
}
