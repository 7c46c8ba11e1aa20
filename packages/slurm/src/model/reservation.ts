/** A reservation as slurmctld described it, the same for every REST version. Times in epoch milliseconds. */
export interface SlurmReservation {
  readonly name: string
  /** Upper-case words such as `MAINT`, `IGNORE_JOBS`, `DAILY`; Slurm adds some of its own (`SPEC_NODES`). */
  readonly flags: readonly string[]
  /** Its nodes as a hostlist; compare expanded, formatting may differ. */
  readonly nodes: string
  readonly users: readonly string[]
  readonly accounts: readonly string[]
  readonly startsAtMs: number | undefined
  readonly endsAtMs: number | undefined
  readonly partition: string
  readonly features: string
  readonly nodeCount: number | undefined
  readonly coreCount: number | undefined
  readonly tres: string
}
