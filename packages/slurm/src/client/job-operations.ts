import { SlurmError } from '../errors.ts'
import { isObject } from '../model/fields.ts'
import type { SlurmJob, SlurmJobState } from '../model/job.ts'
import { writeBounded } from '../values/no-value.ts'
import { findOne, LIST_TIMEOUT_MS, listAll, reader, type Listing, type ListOptions } from './listing.ts'
import { RecordMemory } from './record-memory.ts'
import { requestName, type Caller, type SlurmRequest } from './request.ts'
import { INVALID_JOB_ID, JOB_ALREADY_DONE } from './slurm-error-numbers.ts'

/** A batch job to be. */
export interface JobSubmission {
  readonly script: string
  readonly workingDirectory: string
  /** `NAME=value` each; Slurm refuses a job without any. */
  readonly environment: readonly string[]
  readonly name?: string
  readonly partition?: string
  readonly account?: string
  readonly reservation?: string
  readonly constraints?: string
  readonly tasks?: number
  readonly cpusPerTask?: number
  readonly memoryPerNodeMib?: number
  /** How many nodes, as sbatch takes it: `2` or `2-4`. */
  readonly nodes?: string
  readonly requiredNodes?: readonly string[]
  readonly timeLimitInMinutes?: number | 'infinite'
  readonly hold?: boolean
  readonly requeue?: boolean
  /** Whose job it is; needs an administrator's token. */
  readonly onBehalfOf?: string
  /** Other fields of Slurm's job description, under their own names. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** What to change about a job that has not ended. */
export type JobUpdate = Partial<
  Pick<SlurmJob, 'comment' | 'adminComment' | 'partition' | 'reservation'> & {
    readonly timeLimitInMinutes: number | 'infinite'
    readonly hold: boolean
    readonly priority: number
    readonly more: Readonly<Record<string, unknown>>
  }
>

/** Everything that can be done about jobs. */
export interface JobOperations {
  /** All jobs in full: 8 kB each. */
  listJobs(options?: ListOptions): Promise<Listing<SlurmJob>>
  /** Ids and states only: a hundredth of that. */
  listJobStates(): Promise<Listing<SlurmJobState>>
  findJob(id: number): Promise<SlurmJob | undefined>
  /** Returns the id of the new job. */
  submitJob(job: JobSubmission): Promise<number>
  updateJob(id: number, update: JobUpdate): Promise<void>
  /** `already-done`: it had ended before. Throws `not-found` for a job that Slurm does not know. */
  cancelJob(id: number, signal?: string): Promise<'cancelled' | 'already-done'>
  /** Needs v0.0.45. */
  requeueJob(id: number, options?: { readonly hold?: boolean }): Promise<void>
}

const jobReader = reader<SlurmJob>('jobs', 'jobs')
const stateReader = reader<SlurmJobState>('jobs', 'jobStates')
const known = { notFoundNumbers: [INVALID_JOB_ID] } as const

/** Job operations through any caller. */
export function jobOperations(caller: Caller): JobOperations {
  const listReader = { ...jobReader, memory: new RecordMemory<SlurmJob>() }
  const order = async (request: SlurmRequest): Promise<void> => {
    await caller.call(request)
  }
  return {
    listJobs: (options) => listAll(caller, '/jobs/', listReader, options),
    listJobStates: () => listAll(caller, '/jobs/state/', stateReader),
    findJob: (id) =>
      findOne(caller, { method: 'GET', path: `/job/${id}`, timeoutMs: LIST_TIMEOUT_MS, ...known }, jobReader),
    submitJob: (job) => submitJob(caller, job),
    updateJob: (id, update) => order({ method: 'POST', path: `/job/${id}`, body: updateBody(update), ...known }),
    cancelJob: (id, signal) => cancelJob(caller, id, signal),
    requeueJob: (id, { hold = false } = {}) =>
      order({
        method: 'GET',
        path: `/job/${id}/requeue`,
        needs: 'v0.0.45',
        ...(hold && { query: { Hold: 'true' } }),
        ...known,
      }),
  }
}

async function submitJob(caller: Caller, job: JobSubmission): Promise<number> {
  const request: SlurmRequest = {
    method: 'POST',
    path: '/job/submit',
    body: { script: job.script, job: submissionBody(job) },
    ...(job.onBehalfOf !== undefined && { onBehalfOf: job.onBehalfOf }),
  }
  const { body } = await caller.call(request)
  const id = isObject(body) ? body['job_id'] : undefined
  if (typeof id !== 'number') throw new SlurmError('malformed', requestName(request), 'the answer names no job')
  return id
}

function submissionBody(job: JobSubmission): Record<string, unknown> {
  return withoutUndefined({
    ...job.more,
    current_working_directory: job.workingDirectory,
    environment: job.environment,
    name: job.name,
    partition: job.partition,
    account: job.account,
    reservation: job.reservation,
    constraints: job.constraints,
    tasks: job.tasks,
    cpus_per_task: job.cpusPerTask,
    memory_per_node: job.memoryPerNodeMib === undefined ? undefined : writeBounded(job.memoryPerNodeMib),
    nodes: job.nodes,
    required_nodes: job.requiredNodes,
    time_limit: job.timeLimitInMinutes === undefined ? undefined : writeBounded(job.timeLimitInMinutes),
    hold: job.hold,
    requeue: job.requeue,
  })
}

function updateBody(update: JobUpdate): Record<string, unknown> {
  return withoutUndefined({
    ...update.more,
    comment: update.comment,
    admin_comment: update.adminComment,
    partition: update.partition,
    reservation: update.reservation,
    time_limit: update.timeLimitInMinutes === undefined ? undefined : writeBounded(update.timeLimitInMinutes),
    priority: update.priority === undefined ? undefined : writeBounded(update.priority),
    hold: update.hold,
  })
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Slurm says 200 to every cancel; whether it worked is inside. */
async function cancelJob(caller: Caller, id: number, signal?: string): Promise<'cancelled' | 'already-done'> {
  const query = signal === undefined ? {} : { query: { signal } }
  const request: SlurmRequest = { method: 'DELETE', path: `/job/${id}`, ...query, ...known }
  const { body } = await caller.call(request)
  const failure = cancelErrors(body)[0]
  if (!failure) return 'cancelled'
  if (failure.code === JOB_ALREADY_DONE) return 'already-done'
  const kind = failure.code === INVALID_JOB_ID ? 'not-found' : 'refused'
  throw new SlurmError(kind, requestName(request), failure.text, { errorNumber: failure.code, status: 200 })
}

function cancelErrors(body: unknown): { readonly code: number; readonly text: string }[] {
  const status = isObject(body) && Array.isArray(body['status']) ? body['status'] : []
  return status.flatMap((entry: unknown) => {
    const error = isObject(entry) && isObject(entry['error']) ? entry['error'] : {}
    const code = Number(error['code'] ?? 0)
    return code === 0 ? [] : [{ code, text: typeof error['string'] === 'string' ? error['string'] : 'no reason given' }]
  })
}
