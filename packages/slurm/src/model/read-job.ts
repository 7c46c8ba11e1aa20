import { Fields } from './fields.ts'
import type { SlurmJob, SlurmJobState } from './job.ts'
import type { Wire } from './wire.ts'

/** A job, in any version. Where it runs and how long it may is decided on; the rest is for the eye. */
export function readJob(raw: unknown): SlurmJob {
  const fields = new Fields<Wire['job']>(raw)
  fields.require('job_id', 'job_state')
  return {
    id: fields.number('job_id'),
    states: fields.words('job_state'),
    nodes: fields.text('nodes'),
    startedAtMs: fields.timeMs('start_time'),
    endsAtMs: fields.timeMs('end_time'),
    timeLimitInMinutes: fields.bounded('time_limit'),
    ...readOwner(fields.forgiving()),
    ...readWishes(fields.forgiving()),
    ...readProgress(fields.forgiving()),
  }
}

function readOwner(fields: Fields<Wire['job']>) {
  return {
    name: fields.text('name'),
    userName: fields.text('user_name'),
    userId: fields.count('user_id'),
    account: fields.text('account'),
    qos: fields.text('qos'),
    comment: fields.text('comment'),
    adminComment: fields.text('admin_comment'),
    extra: fields.text('extra'),
    arrayJobId: positive(fields.count('array_job_id')),
    arrayTaskId: fields.count('array_task_id'),
  }
}

function readWishes(fields: Fields<Wire['job']>) {
  return {
    partition: fields.text('partition'),
    reservation: fields.text('resv_name'),
    requiredNodes: fields.text('required_nodes'),
    excludedNodes: fields.text('excluded_nodes'),
    features: fields.text('features'),
    nodeCount: fields.count('node_count'),
    cpus: fields.count('cpus'),
    tresRequested: fields.text('tres_req_str'),
    priority: fields.bounded('priority'),
    held: fields.yes('hold'),
    mayRequeue: fields.yes('requeue'),
  }
}

function readProgress(fields: Fields<Wire['job']>) {
  return {
    stateReason: fields.text('state_reason'),
    stateDescription: fields.text('state_description'),
    batchHost: fields.text('batch_host'),
    tresAllocated: fields.text('tres_alloc_str'),
    restarts: fields.count('restart_cnt'),
    submittedAtMs: fields.timeMs('submit_time'),
    eligibleAtMs: fields.timeMs('eligible_time'),
    exitCode: fields.inner('exit_code').count('return_code'),
  }
}

/** One line of `/jobs/state/`, whose ids are texts: `12`, `12_3` for a task of an array, `12+1` for a part. */
export function readJobState(raw: unknown): SlurmJobState {
  const fields = new Fields<{ job_id: string; state: readonly string[] }>(raw)
  fields.require('job_id', 'state')
  return { id: fields.name('job_id'), states: fields.words('state') }
}

/** Slurm writes 0 for a job that is no task of an array. */
function positive(count: number | undefined): number | undefined {
  return count === 0 ? undefined : count
}
