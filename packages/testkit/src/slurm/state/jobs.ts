/**
 * The life of jobs: submitted, started, ended, cleaned up, forgotten, and begun again.
 *
 * @module
 */
import { featuresIn, hasProcesses, type JobRecord, type JobState, type JobWish } from './records.ts'
import { isHeard, type Parts } from './parts.ts'
import { refusals, type Refusal } from './refusals.ts'
import { askScheduler, hasRoom, type Scheduling } from './schedule.ts'

/** Slurm forgets a job so long after its end. */
const FORGET_AFTER_MS = 300_000
const MINUTE_MS = 60_000

/** How a job ends. */
interface JobEnd {
  readonly state: Exclude<JobState, 'PENDING' | 'RUNNING' | 'SUSPENDED'>
  readonly reason: string
  readonly exitCode?: number
  readonly failedNode?: string
}

/** Let the scheduler look for work. */
export function findWork(parts: Parts, inMs?: number): void {
  const scheduling: Scheduling = {
    partitions: parts.partitions,
    start: (job, nodes) => startJob(parts, job, nodes),
  }
  askScheduler(parts.cluster, scheduling, inMs)
}

/** Take a job in. Returns its number. */
export function submitJob(parts: Parts, wish: JobWish): number | Refusal {
  const { cluster, partitions } = parts
  const usual = partitions.find(({ isDefault }) => isDefault)?.name ?? ''
  const partition = wish.partition === '' ? usual : wish.partition
  if (!partitions.some(({ name }) => name === partition)) return refusals.partition
  if (wish.requiredNodes.some((name) => !cluster.nodes.has(name))) return refusals.nodeName
  if (!isFeatureKnown(parts, wish)) return refusals.feature
  if (wish.reservation !== '' && !cluster.reservations.has(wish.reservation)) return refusals.reservation
  const id = cluster.nextJobId++
  cluster.putJob({ ...wish, ...newJob(id, cluster.nowMs), partition, stateReason: wish.hold ? 'JobHeldUser' : 'None' })
  findWork(parts)
  return id
}

/** Slurm refuses features that no node has. */
function isFeatureKnown({ cluster }: Parts, { constraints }: JobWish): boolean {
  const nodes = [...cluster.nodes.values()]
  return featuresIn(constraints).every((wanted) => nodes.some(({ features }) => features.includes(wanted)))
}

function newJob(id: number, nowMs: number): Omit<JobRecord, keyof JobWish | 'stateReason'> {
  return {
    id,
    state: 'PENDING',
    isCompleting: false,
    nodes: [],
    failedNode: '',
    submittedAtMs: nowMs,
    eligibleAtMs: nowMs,
    startedAtMs: undefined,
    endedAtMs: undefined,
    restarts: 0,
    suspendedAtMs: undefined,
    suspendedForMs: 0,
  }
}

function startJob(parts: Parts, job: JobRecord, nodes: readonly string[]): void {
  const { cluster } = parts
  const started: JobRecord = { ...job, state: 'RUNNING', stateReason: 'None', nodes, startedAtMs: cluster.nowMs }
  cluster.putJob(started)
  planEnd(parts, started)
  const deaf = nodes.filter((name) => !isHeard(parts, name))
  if (deaf.length > 0) planReturn(parts, started, deaf)
}

/** Nobody takes the job from slurmctld: it goes back into the queue, and those nodes count as silent. */
function planReturn(parts: Parts, { id, restarts }: JobRecord, deaf: readonly string[]): void {
  const { cluster } = parts
  cluster.plan(cluster.nowMs + cluster.pace.launchingMs, () => {
    const job = cluster.jobs.get(id)
    if (job?.state !== 'RUNNING' || job.restarts !== restarts) return
    for (const node of deaf.flatMap((name) => cluster.nodes.get(name) ?? []))
      if (!isHeard(parts, node.name)) cluster.putNode({ ...node, flags: new Set([...node.flags, 'NOT_RESPONDING']) })
    requeueJob(parts, id, { hold: false })
  })
}

/** When a running job ends by itself: because its script does, or because its time is over. */
export function planEnd(parts: Parts, planned: JobRecord): void {
  const { cluster } = parts
  const { id, startedAtMs = 0, suspendedForMs, restarts, runMs, timeLimitInMinutes } = planned
  const limitMs = timeLimitInMinutes === 'infinite' ? Infinity : timeLimitInMinutes * MINUTE_MS
  cluster.plan(startedAtMs + suspendedForMs + Math.min(runMs, limitMs), () => {
    const job = cluster.jobs.get(id)
    if (job?.state !== 'RUNNING' || job.restarts !== restarts || job.suspendedForMs !== suspendedForMs) return
    endJob(parts, job, runMs <= limitMs ? byItself(job) : { state: 'TIMEOUT', reason: 'TimeLimit' })
  })
}

function byItself({ exitCode }: JobRecord): JobEnd {
  return exitCode === 0 ? { state: 'COMPLETED', reason: 'None' } : { state: 'FAILED', reason: 'NonZeroExitCode' }
}

/** End a job. Its nodes are free when everything is cleaned up. */
function endJob(parts: Parts, job: JobRecord, end: JobEnd): void {
  const { cluster } = parts
  const wasRunning = hasProcesses(job)
  cluster.putJob({
    ...job,
    state: end.state,
    stateReason: end.reason,
    exitCode: end.exitCode ?? job.exitCode,
    failedNode: end.failedNode ?? '',
    isCompleting: wasRunning,
    endedAtMs: cluster.nowMs,
  })
  if (wasRunning) planCleanUp(parts, job.id)
  planForgetting(parts, job.id, cluster.nowMs)
}

/** Nodes of an ended job are cleaned up after a while; those that are down need no cleaning. */
export function planCleanUp(parts: Parts, id: number): void {
  const { cluster } = parts
  cluster.plan(cluster.nowMs + cluster.pace.completingMs, () => {
    const job = cluster.jobs.get(id)
    if (!job?.isCompleting) return
    cluster.putJob({ ...job, isCompleting: false, nodes: job.state === 'PENDING' ? [] : job.nodes })
    for (const name of job.nodes) markUsed(parts, name)
    findWork(parts)
  })
}

function markUsed({ cluster }: Parts, name: string): void {
  const node = cluster.nodes.get(name)
  if (node) cluster.putNode({ ...node, lastBusyAtMs: cluster.nowMs })
}

/** Slurm forgets ended jobs. */
export function planForgetting({ cluster }: Parts, id: number, endedAtMs: number): void {
  cluster.plan(endedAtMs + FORGET_AFTER_MS, () => {
    if (cluster.jobs.get(id)?.endedAtMs === endedAtMs) cluster.removeJob(id)
  })
}

/** End a job on somebody's order. */
export function cancelJob(parts: Parts, id: number): Refusal | undefined {
  const job = parts.cluster.jobs.get(id)
  if (!job) return refusals.jobId
  if (job.state !== 'PENDING' && !hasProcesses(job)) return refusals.jobDone
  endJob(parts, job, { state: 'CANCELLED', reason: job.state === 'PENDING' ? job.stateReason : 'None' })
  return undefined
}

/** Stop the processes of a job, which stay where they are. Others may use what it used. */
export function suspendJob(parts: Parts, id: number): Refusal | undefined {
  const { cluster } = parts
  const job = cluster.jobs.get(id)
  if (!job) return refusals.jobId
  if (job.state === 'PENDING') return refusals.jobPending
  if (job.state !== 'RUNNING') return refusals.jobDone
  cluster.putJob({ ...job, state: 'SUSPENDED', suspendedAtMs: cluster.nowMs })
  findWork(parts)
  return undefined
}

/** Let it go on, if there is room for it. */
export function resumeJob(parts: Parts, id: number): Refusal | undefined {
  const { cluster } = parts
  const job = cluster.jobs.get(id)
  if (!job) return refusals.jobId
  if (job.state !== 'SUSPENDED') return refusals.jobDone
  const nodes = job.nodes.flatMap((name) => cluster.nodes.get(name) ?? [])
  if (!nodes.every((node) => hasRoom(cluster, node, job))) return refusals.busy
  const suspendedForMs = job.suspendedForMs + cluster.nowMs - (job.suspendedAtMs ?? cluster.nowMs)
  const resumed: JobRecord = { ...job, state: 'RUNNING', suspendedAtMs: undefined, suspendedForMs }
  cluster.putJob(resumed)
  planEnd(parts, resumed)
  return undefined
}

/** Put a job back into the queue, as if it had never run. */
export function requeueJob(parts: Parts, id: number, { hold }: { readonly hold: boolean }): Refusal | undefined {
  const { cluster } = parts
  const job = cluster.jobs.get(id)
  if (!job) return refusals.jobId
  if (job.state === 'PENDING') return refusals.jobPending
  const isCompleting = hasProcesses(job) || job.isCompleting
  cluster.putJob({
    ...job,
    state: 'PENDING',
    stateReason: hold ? 'JobHeldAdmin' : 'None',
    hold,
    isCompleting,
    nodes: isCompleting ? job.nodes : [],
    restarts: job.restarts + 1,
    ...{ startedAtMs: undefined, endedAtMs: undefined, suspendedAtMs: undefined, suspendedForMs: 0 },
    eligibleAtMs: cluster.nowMs + cluster.pace.requeueMs,
  })
  if (isCompleting) planCleanUp(parts, id)
  findWork(parts, cluster.pace.requeueMs)
  return undefined
}

/** What may be changed about a job that has not ended. */
export type JobChange = Partial<
  Pick<JobRecord, 'comment' | 'partition' | 'reservation' | 'timeLimitInMinutes' | 'hold'>
>

/** Change a job. */
export function updateJob(parts: Parts, id: number, change: JobChange): Refusal | undefined {
  const { cluster, partitions } = parts
  const job = cluster.jobs.get(id)
  if (!job) return refusals.jobId
  if (job.endedAtMs !== undefined) return refusals.jobFinished
  if (change.partition !== undefined && !partitions.some(({ name }) => name === change.partition))
    return refusals.partition
  const stateReason = change.hold === undefined || job.state !== 'PENDING' ? job.stateReason : heldReason(change.hold)
  const changed: JobRecord = { ...job, ...change, stateReason }
  cluster.putJob(changed)
  if (changed.state === 'RUNNING') planEnd(parts, changed)
  findWork(parts)
  return undefined
}

const heldReason = (hold: boolean): string => (hold ? 'JobHeldAdmin' : 'None')

/** The jobs of a node that has gone: put back into the queue if they may be, lost otherwise. */
export function loseJobsOn(parts: Parts, name: string): void {
  for (const id of parts.cluster.jobsOn(name)) {
    const job = parts.cluster.jobs.get(id)
    if (job === undefined || !hasProcesses(job)) continue
    if (job.requeue) requeueJob(parts, id, { hold: false })
    else endJob(parts, job, { state: 'NODE_FAIL', reason: 'NodeDown', failedNode: name })
  }
}
