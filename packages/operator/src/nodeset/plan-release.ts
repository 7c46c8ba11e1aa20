/**
 * May this pod go? The one question that can end a job, so there is one place that answers it.
 *
 * Only an explicit `yes` permits a deletion. Slurm's word counts only while it is fresh: an administrator may have
 * resumed the node since.
 *
 * @module
 */
import {
  findBaseState,
  isBusy,
  isDrain,
  isDrained,
  isForeignDrain,
  lastSeen,
  type Answer,
  type SlurmNode,
} from '@slurm-operator/slurm'
import { isFromBeforePod, unlistedSinceMs } from './picture-slurmd.ts'
import { hasJoined, wasBusy } from './picture-worker.ts'
import type { Picture, Worker } from './picture.ts'

/** The answer and its reason. */
interface Release {
  readonly answer: Answer
  /** What a worker that may not go waits for. */
  readonly reason: 'Released' | 'JobsRunning' | 'NotDrained' | 'SlurmSilent' | 'JoinedElsewhere' | 'MayBeJoining'
  readonly because: string
  readonly lookAgainInMs: number
}

/** What the answer depends on besides the worker. */
type ReleaseFacts = Pick<Picture, 'nowMs' | 'slurmList'> & Partial<Pick<Picture, 'workers' | 'kubeNodes'>>

/** How old Slurm's word may be when a pod is deleted on it. */
const FRESH_MS = 15_000
/**
 * How old the list of jobs may be where no newer one can be had: it may take long. Who was running then is kept, and nobody
 * begins on a drained node, so only what began and was suspended since is missing from it.
 */
const JOBS_FRESH_MS = 60_000
/** How long a worker that is Ready may be missing from Slurm before we believe that it is not there. */
export const UNREGISTERED_GRACE_MS = 2 * 60_000
/** How long we wait when most workers are missing at once, or one with jobs: then it is Slurm that has a problem. */
export const MANY_MISSING_MS = 15 * 60_000
/** How long a record must have vanished. */
const VANISHED_MS = 60_000
/** A slurmd that has run for so long without appearing in Slurm is not joining any more. */
const JOINING_MS = 60_000
const SOON_MS = 2000
const LATER_MS = 10_000

/** See the module. */
export function mayGo(worker: Worker, facts: ReleaseFacts): Release {
  if (isFinished(worker)) return released(`its phase is ${worker.phase}, so nothing runs in it any more`)
  if (!mayHaveJoined(worker)) return released('its containers never started, so no job can run on it')
  if (!hasRun(worker) && worker.slurmNode.kind === 'absent')
    return released('it never joined Slurm, so no job can run on it')
  const unlistedMs = unlistedSinceMs(worker)
  if (unlistedMs !== undefined) return byAbsence(worker, unlistedMs, facts)
  const { slurmNode } = worker
  return slurmNode.kind === 'seen'
    ? byRecord(worker, slurmNode.value, slurmNode.atMs, facts.nowMs)
    : bySilence(worker, facts.nowMs)
}

/** The pod has ended by itself. */
export function isFinished({ phase }: Pick<Worker, 'phase'>): boolean {
  return phase === 'Failed' || phase === 'Succeeded'
}

/**
 * Whether a slurmd can have run in it, and still do. The kubelet may be late to say that it has started it: then Slurm
 * knows better, unless its record is of one before.
 */
export function mayHaveJoined(worker: Worker): boolean {
  if (isFinished(worker)) return false
  if (hasRun(worker)) return true
  const { nodeName, slurmNode } = worker
  return nodeName !== '' && slurmNode.kind !== 'unknown' && !isFromBeforePod(worker)
}

/** A container of it has started, says the kubelet. */
function hasRun({ hasStarted, phase }: Worker): boolean {
  return hasStarted || (phase !== 'Pending' && phase !== '')
}

function byRecord(worker: Worker, node: SlurmNode, atMs: number, nowMs: number): Release {
  const { slurmName, slurmNode } = worker
  if (isDrained(slurmNode) === 'yes') {
    if (nowMs - atMs > FRESH_MS)
      return held('unknown', 'SlurmSilent', `the last word of Slurm about ${slurmName} is too old`, SOON_MS)
    return whyHeldByJobs(worker, nowMs) ?? released(`${slurmName} is drained and runs nothing`)
  }
  const drain = isDrain(slurmNode) === 'yes'
  if (drain && isBusy(slurmNode) === 'yes') {
    const whose = isForeignDrain(slurmNode) === 'yes' ? `, drained by somebody else (${node.reason})` : ''
    return held('no', 'JobsRunning', `${slurmName} still runs jobs${whose}`, LATER_MS)
  }
  if (!drain) return held('no', 'NotDrained', `${slurmName} may still receive jobs`, SOON_MS)
  return held(
    'unknown',
    'SlurmSilent',
    `Slurm says ${findBaseState(node.states) ?? 'nothing'} of ${slurmName}`,
    LATER_MS,
  )
}

/**
 * Slurm may call a node idle whose only jobs are suspended; their processes are still there, and only the list of jobs tells.
 * One that it says to be running was suspended since, or has ended since: a newer list tells that too.
 */
function whyHeldByJobs({ slurmName, jobs }: Worker, nowMs: number): Release | undefined {
  const known = lastSeen(jobs) ?? []
  if (known.some(({ states }) => states.includes('SUSPENDED')))
    return held('no', 'JobsRunning', `${slurmName} has suspended jobs`, LATER_MS)
  if (known.some(({ states }) => states.includes('RUNNING')))
    return held('unknown', 'JobsRunning', `${slurmName} had jobs when Slurm listed its jobs last`, SOON_MS)
  if (jobs.kind === 'seen' && nowMs - jobs.atMs <= JOBS_FRESH_MS) return undefined
  const isUnreadable = jobs.kind === 'unknown' && jobs.why === 'unreadable'
  const because = isUnreadable
    ? `Slurm lists a job that we cannot read, and it may be on ${slurmName}`
    : `Slurm has not listed its jobs lately, and ${slurmName} may have some`
  return held('unknown', 'SlurmSilent', because, SOON_MS)
}

/** Whether only the list of jobs keeps it, though Slurm calls its node drained. */
export function isHeldByJobs(worker: Worker, nowMs: number): boolean {
  return isDrained(worker.slurmNode) === 'yes' && whyHeldByJobs(worker, nowMs) !== undefined
}

/** Whether it has jobs that Slurm does not count when it calls its node idle. */
export function hasSuspendedJobs({ jobs }: Pick<Worker, 'jobs'>): Answer {
  if ((lastSeen(jobs) ?? []).some(({ states }) => states.includes('SUSPENDED'))) return 'yes'
  return jobs.kind === 'seen' ? 'no' : 'unknown'
}

/** Not in Slurm's list, or only a former slurmd is: it never joined, its record went, or we look for the wrong name. */
function byAbsence(worker: Worker, absentSinceMs: number, facts: ReleaseFacts): Release {
  const { nowMs, slurmList } = facts
  const { slurmName, joinedAs, wasReady, readySinceMs } = worker
  if (joinedAs !== undefined) {
    return held('unknown', 'JoinedElsewhere', `it has joined Slurm as ${joinedAs}, not as ${slurmName}`, LATER_MS)
  }
  if (slurmList === undefined || nowMs - slurmList.atMs > FRESH_MS) {
    return held('unknown', 'SlurmSilent', 'the last list of Slurm nodes is too old', SOON_MS)
  }
  if (isStarting(worker, nowMs) || (!hasJoined(worker) && !wasReady)) return whileStarting(worker, nowMs)
  if (!hasNoJobs(worker, absentSinceMs)) return held('unknown', 'JobsRunning', `jobs may run on ${slurmName}`, LATER_MS)
  const usualMs = hasJoined(worker) ? VANISHED_MS : UNREGISTERED_GRACE_MS
  const isOnMachine = facts.kubeNodes?.has(worker.nodeName) !== false // without one, nothing can run
  const isDoubtful = hasLostMany(facts) || wasBusy(worker)
  const patienceMs = isOnMachine && isDoubtful ? MANY_MISSING_MS : usualMs
  const readyAtMs = typeof readySinceMs === 'number' ? readySinceMs : 0
  if (nowMs - Math.max(absentSinceMs, readyAtMs) >= patienceMs) return released(`Slurm does not know ${slurmName}`)
  if (wasBusy(worker)) return held('unknown', 'JobsRunning', vanishedWithJobs(worker), LATER_MS)
  return held('unknown', 'MayBeJoining', `${slurmName} is missing from Slurm, but not for long`, LATER_MS)
}

/** What a worker says that ran jobs when Slurm listed it last. */
export function vanishedWithJobs({ slurmName }: Worker): string {
  return `${slurmName} vanished from Slurm while it ran jobs: look at slurmctld`
}

/** Slurm lists nothing at all, or most of those that it knew are gone: its list of jobs cannot be trusted either. */
function hasLostMany({ slurmList, workers = [] }: ReleaseFacts): boolean {
  const joined = workers.filter((worker) => !worker.terminating && hasJoined(worker))
  const vanished = joined.filter((worker) => unlistedSinceMs(worker) !== undefined)
  return slurmList?.nodes === 0 || vanished.length * 2 > joined.length
}

function isStarting({ runningSinceMs }: Worker, nowMs: number): boolean {
  return runningSinceMs !== undefined && nowMs - runningSinceMs < JOINING_MS
}

function whileStarting(worker: Worker, nowMs: number): Release {
  if (!isStarting(worker, nowMs)) return released('it never joined Slurm, so no job can run on it')
  return held('unknown', 'MayBeJoining', `slurmd has just started and may join as ${worker.slurmName}`, LATER_MS)
}

/**
 * Without Slurm only a pod that has had its time and never worked may go, and in which slurmd does not run: slurmctld may
 * know it although slurmrestd is silent, and another container may be why it is not Ready.
 */
function bySilence(worker: Worker, nowMs: number): Release {
  const { slurmName, wasReady, createdAtMs, runningSinceMs, joinedAs } = worker
  const hadItsTime = nowMs - (createdAtMs ?? nowMs) >= UNREGISTERED_GRACE_MS
  const neverWorked = !wasReady && !hasJoined(worker) && joinedAs === undefined
  if (hadItsTime && neverWorked && runningSinceMs === undefined) {
    return released('it was never ready and never joined Slurm')
  }
  return held('unknown', 'SlurmSilent', `Slurm has not told the state of ${slurmName}`, LATER_MS)
}

/** A list of jobs from before the record vanished does not know the last ones that it got. */
function hasNoJobs({ jobs }: Worker, sinceMs: number): boolean {
  return jobs.kind === 'seen' && jobs.atMs >= sinceMs && jobs.value.length === 0
}

function released(because: string): Release {
  return { answer: 'yes', reason: 'Released', because, lookAgainInMs: SOON_MS }
}

function held(answer: Answer, reason: Release['reason'], because: string, lookAgainInMs: number): Release {
  return { answer, reason, because, lookAgainInMs }
}
