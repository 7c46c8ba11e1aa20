/** The statistics of slurmctld since its counters were last reset. Times in epoch milliseconds. */
export interface SlurmStatistics {
  readonly atMs: number | undefined
  readonly countedSinceMs: number | undefined
  readonly serverThreads: number | undefined
  readonly agentQueue: number | undefined
  /** Messages waiting for slurmdbd: a growing number means accounting is being lost. */
  readonly accountingQueue: number | undefined
  readonly jobs: JobCounters
  readonly scheduler: SchedulerCycles
  readonly backfill: SchedulerCycles & { readonly active: boolean; readonly startedJobs: number | undefined }
}

/** Jobs since the last reset, and those waiting and running at `countedAtMs`. */
export interface JobCounters {
  readonly submitted: number | undefined
  readonly started: number | undefined
  readonly completed: number | undefined
  readonly cancelled: number | undefined
  readonly failed: number | undefined
  readonly pending: number | undefined
  readonly running: number | undefined
  readonly countedAtMs: number | undefined
}

/** How long scheduling takes and how much waits for it. */
export interface SchedulerCycles {
  readonly lastInMicroseconds: number | undefined
  readonly meanInMicroseconds: number | undefined
  readonly maximumInMicroseconds: number | undefined
  readonly queueLength: number | undefined
}
