import { cancelJob, requeueJob, submitJob, updateJob, type JobChange } from '../state/jobs.ts'
import type { JobRecord, JobWish } from '../state/records.ts'
import { refusals, type Refusal } from '../state/refusals.ts'
import { bare, payload, wireError, type RestAnswer } from './answer.ts'
import { notATime, refused, textIn, textsIn, whyNotAsked, type Call, type Complaint } from './call.ts'
import { jobShape } from './job-shape.ts'
import { expanded } from './node-routes.ts'
import { administrators, type Restd } from './restd.ts'
import { readWireNumber, unset, wireNumber, wireTime } from './values.ts'
import { recordText } from './write-json.ts'

const noTime = wireNumber(0)
const aboutSubmission: Complaint = { description: 'Batch job submission failed', source: 'slurm_submit_batch_job()' }
const HELD = 'Job is in held state, pending scheduler release'

/** All jobs; an empty list and a word if nothing has changed. */
export function listJobs(call: Call): RestAnswer {
  const { restd, query, voice, version } = call
  const silence = whyNotAsked(call, { description: 'Failure to query jobs', source: 'op_handler_jobs' })
  if (silence) return silence
  const { cluster } = restd.controller
  const since = Number(query.get('update_time') ?? 0)
  if (!Number.isFinite(since)) return notATime(call, { status: 422, source: 'op_handler_jobs' })
  if (since - 1 >= Math.floor(cluster.changedAtMs('jobs') / 1000)) return noNews(call, since)
  const texts = [...cluster.jobs.values()].map((job) => jobText(restd, job, version))
  return payload(voice, { last_backfill: noTime, last_update: wireTime(cluster.wallMs) }, { key: 'jobs', texts })
}

function noNews({ voice }: Call, since: number): RestAnswer {
  const moment = new Date(since * 1000).toISOString().slice(0, 19)
  const warning = { description: `No job changes since update_time[${since}]=${moment}`, source: 'op_handler_jobs' }
  const list = { key: 'jobs', texts: [] }
  return payload({ ...voice, warnings: [warning] }, { last_backfill: noTime, last_update: noTime }, list)
}

/** Ids and states only. */
export function listJobStates(call: Call): RestAnswer {
  const silence = whyNotAsked(call, { description: 'Failure to query jobs', source: 'op_handler_job_states' })
  if (silence) return silence
  const jobs = [...call.restd.controller.cluster.jobs.values()]
  const texts = jobs.map((job) => recordText({ job_id: String(job.id), state: statesOf(job) }))
  return payload(call.voice, {}, { key: 'jobs', texts })
}

const statesOf = ({ state, isCompleting }: JobRecord): string[] => [state, ...(isCompleting ? ['COMPLETING'] : [])]

/** Jobs that have not changed since they were last written. */
const written = new WeakMap<JobRecord, { readonly seal: string; readonly text: string }>()

function jobText({ controller }: Restd, job: JobRecord, version: string): string {
  const seal = `${version}|${controller.cluster.skewMs}`
  const before = written.get(job)
  if (before?.seal === seal) return before.text
  const text = recordText(jobShape(controller.cluster, job, version))
  written.set(job, { seal, text })
  return text
}

/** One job. */
export function getJob(call: Call): RestAnswer {
  const id = jobIdIn(call)
  if (id === undefined) return badId(call)
  const complaint = { description: `Unable to query JobId=${id}`, source: '_handle_job_get' }
  const silence = whyNotAsked(call, complaint)
  if (silence) return silence
  const { cluster } = call.restd.controller
  const job = cluster.jobs.get(id)
  if (!job) return noSuchJob(call, complaint)
  const texts = [jobText(call.restd, job, call.version)]
  return payload(call.voice, { last_backfill: noTime, last_update: wireTime(cluster.wallMs) }, { key: 'jobs', texts })
}

function jobIdIn({ names }: Call): number | undefined {
  const id = Number(/^\d+$/.exec(names[0] ?? '')?.[0])
  return Number.isSafeInteger(id) ? id : undefined
}

function badId({ voice }: Call): RestAnswer {
  return bare(voice, 422, wireError(refusals.query, 'Rejecting request. Failure parsing parameters', 'op_handler_job'))
}

function noSuchJob(call: Call, complaint: Complaint): RestAnswer {
  const empty = payload(call.voice, { jobs: [], last_backfill: noTime, last_update: noTime })
  return withFailure(call, empty, refusals.jobId, complaint)
}

/** About jobs Slurm says no inside of the answer that it would have given. */
function withFailure(
  { restd }: Call,
  good: RestAnswer,
  failure: Refusal | undefined,
  { description, source }: Complaint,
): RestAnswer {
  if (!failure) return good
  const body = { ...(good.body as object), errors: [wireError(failure, description, source)] }
  return { ...good, status: failure === refusals.jobId ? 404 : restd.release.refusedStatus, body }
}

/** A new batch job. */
export function submit(call: Call): RestAnswer {
  const { restd, body, voice } = call
  const script = textIn(body, 'script') ?? ''
  if (script === '') {
    const description = 'Populated "script" field is required for job submission'
    return bare(voice, restd.release.refusedStatus, wireError(refusals.query, description, '_job_post'))
  }
  const silence = whyNotAsked(call, aboutSubmission)
  if (silence) return silence
  const job = objectIn(body['job'])
  if ((textsIn(job, 'environment') ?? []).length === 0) return refused(call, refusals.noEnvironment, aboutSubmission)
  const wish = readWish(job, script, call.user ?? '')
  const id = submitJob(restd.controller, wish)
  if (typeof id !== 'number') return refused(call, id, aboutSubmission)
  const warnings = wish.hold ? [`Job submission resulted in non-zero return code: ${HELD}`, HELD] : []
  const told = { ...voice, warnings: warnings.map((description) => ({ ...aboutSubmission, description })) }
  return payload(told, { job_id: id, step_id: 'batch', job_submit_user_msg: '' })
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function readWish(job: Readonly<Record<string, unknown>>, script: string, user: string): JobWish {
  const nodeCount = Number.parseInt(textIn(job, 'nodes') ?? '1', 10)
  const requiredNodes = expanded(textsIn(job, 'required_nodes') ?? [])
  return {
    name: textIn(job, 'name') ?? 'openapi',
    user,
    partition: textIn(job, 'partition') ?? '',
    account: textIn(job, 'account') ?? '',
    reservation: textIn(job, 'reservation') ?? '',
    constraints: textIn(job, 'constraints') ?? '',
    nodeCount: Math.max(nodeCount, requiredNodes.length, 1),
    tasks: numberIn(job, 'tasks') ?? 1,
    cpusPerTask: numberIn(job, 'cpus_per_task') ?? 1,
    memoryPerNodeMib: numberIn(job, 'memory_per_node'),
    gpusPerNode: Number(/gpu(?::[^:]+)?:(\d+)/.exec(textIn(job, 'tres_per_node') ?? '')?.[1] ?? 0),
    requiredNodes,
    timeLimitInMinutes: readWireNumber(job['time_limit']) ?? 'infinite',
    hold: job['hold'] === true,
    requeue: job['requeue'] !== false,
    workingDirectory: textIn(job, 'current_working_directory') ?? '/',
    comment: textIn(job, 'comment') ?? '',
    ...readScript(script),
  }
}

function numberIn(body: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = readWireNumber(body[name])
  return typeof value === 'number' ? value : undefined
}

/** A script in a simulation can sleep and fail, nothing else. */
function readScript(script: string): Pick<JobWish, 'runMs' | 'exitCode'> {
  const seconds = [...script.matchAll(/\bsleep (\d+(?:\.\d+)?)/g)].reduce((sum, [, one]) => sum + Number(one), 0)
  return { runMs: seconds * 1000, exitCode: Number(/\bexit (\d+)/.exec(script)?.[1] ?? 0) }
}

/** Change a job. */
export function changeJob(call: Call): RestAnswer {
  const id = jobIdIn(call)
  if (id === undefined) return badId(call)
  const complaint = { description: 'Job update requested failed', source: 'slurm_update_job2()' }
  const silence = whyNotAsked(call, complaint)
  if (silence) return silence
  const failure = notOwned(call, id) ?? updateJob(call.restd.controller, id, readChange(call.body))
  return withFailure(call, payload(call.voice, { results: [] }), failure, complaint)
}

function readChange(body: Call['body']): JobChange {
  const change = {
    comment: textIn(body, 'comment'),
    partition: textIn(body, 'partition'),
    reservation: textIn(body, 'reservation'),
    timeLimitInMinutes: readWireNumber(body['time_limit']),
    hold: typeof body['hold'] === 'boolean' ? body['hold'] : undefined,
  }
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

function notOwned({ restd, user = '' }: Call, id: number): Refusal | undefined {
  const job = restd.controller.cluster.jobs.get(id)
  return job && job.user !== user && !administrators.includes(user) ? refusals.user : undefined
}

/** Cancel a job: 200 in any case, and whether it worked is inside. */
export function cancelOneJob(call: Call): RestAnswer {
  const id = jobIdIn(call)
  if (id === undefined) return badId(call)
  const silence = whyNotAsked(call, { description: `Failure to cancel JobId=${id}`, source: '_handle_job_delete' })
  if (silence) return silence
  const failure = notOwned(call, id) ?? cancelJob(call.restd.controller, id)
  return payload(call.voice, { status: failure ? [cancelStatus(id, failure)] : [] })
}

function cancelStatus(id: number, { number, text }: Refusal): Record<string, unknown> {
  return {
    error: { string: text, code: number, message: text },
    step_id: String(id),
    job_id: number === refusals.jobId.number ? unset : wireNumber(id),
    federation: { sibling: '' },
  }
}

/** Cancel all jobs of a user. */
export function cancelJobs(call: Call): RestAnswer {
  const silence = whyNotAsked(call, { description: 'Failure to cancel jobs', source: '_handle_jobs_delete' })
  if (silence) return silence
  const { controller } = call.restd
  const ofUser = [...controller.cluster.jobs.values()].filter(({ user }) => user === textIn(call.body, 'user_name'))
  for (const { id } of ofUser) cancelJob(controller, id)
  return payload(call.voice, { status: [] })
}

/** Put a job back into the queue. */
export function requeue(call: Call): RestAnswer {
  const id = jobIdIn(call)
  if (id === undefined) return badId(call)
  const complaint = { description: `Requeue JobID=${id} failed`, source: 'op_handler_job_requeue' }
  const silence = whyNotAsked(call, complaint)
  if (silence) return silence
  const hold = call.query.get('Hold') === 'true'
  const failure = notOwned(call, id) ?? requeueJob(call.restd.controller, id, { hold })
  return withFailure(call, payload(call.voice, { status: [] }), failure, complaint)
}
