import type { SlurmStatistics } from './diag.ts'
import { Fields } from './fields.ts'
import type { Wire } from './wire.ts'

/** The statistics, in any version. All of it is for the eye, so nothing in it can be unreadable. */
export function readStatistics(raw: unknown): SlurmStatistics {
  const fields = new Fields<Wire['statistics']>(raw, false)
  return {
    atMs: fields.timeMs('req_time'),
    countedSinceMs: fields.timeMs('req_time_start'),
    serverThreads: fields.count('server_thread_count'),
    agentQueue: fields.count('agent_queue_size'),
    accountingQueue: fields.count('dbd_agent_queue_size'),
    jobs: readJobCounters(fields),
    scheduler: {
      lastInMicroseconds: fields.count('schedule_cycle_last'),
      meanInMicroseconds: fields.count('schedule_cycle_mean'),
      maximumInMicroseconds: fields.count('schedule_cycle_max'),
      queueLength: fields.count('schedule_queue_length'),
    },
    backfill: {
      active: fields.yes('bf_active'),
      startedJobs: fields.count('bf_backfilled_jobs'),
      lastInMicroseconds: fields.count('bf_cycle_last'),
      meanInMicroseconds: fields.count('bf_cycle_mean'),
      maximumInMicroseconds: fields.count('bf_cycle_max'),
      queueLength: fields.count('bf_queue_len'),
    },
  }
}

function readJobCounters(fields: Fields<Wire['statistics']>) {
  return {
    submitted: fields.count('jobs_submitted'),
    started: fields.count('jobs_started'),
    completed: fields.count('jobs_completed'),
    cancelled: fields.count('jobs_canceled'),
    failed: fields.count('jobs_failed'),
    pending: fields.count('jobs_pending'),
    running: fields.count('jobs_running'),
    countedAtMs: fields.timeMs('job_states_ts'),
  }
}
