/**
 * When the last job of a worker ends. It ranks workers and tells people how long a drain may take; nothing is deleted
 * because of it.
 *
 * @module
 */
import { annotationKeys } from '@slurm-operator/api'
import { findTime, printTime } from '@slurm-operator/kube'
import { deadlineMs, type SlurmJob } from '@slurm-operator/slurm'
import type { MetadataPatch } from './steps.ts'
import type { Worker } from './picture.ts'

/** What stands for a job without limit: later than any real one, and still a time that everybody can read. */
const NEVER_MS = Date.parse('2262-04-11T23:47:16Z')

type Facts = Pick<Worker, 'jobs' | 'annotations'>

/** When its last job ends: by Slurm's word, else as last noted; undefined when it has none to wait for. */
export function deadlineOf(worker: Facts): number | undefined {
  const { jobs } = worker
  if (jobs.kind === 'seen') return latestDeadline(jobs.value)
  const noted = findTime(worker.annotations[annotationKeys.podDeadline])
  // One job that cannot be read does not hide the others.
  if (jobs.kind === 'unknown' && jobs.why === 'unreadable') return latestDeadline(jobs.last ?? []) ?? noted
  return noted
}

/** Note the deadline on the pod if it changed. */
export function patchDeadline(worker: Facts): MetadataPatch {
  const wanted = deadlineOf(worker)
  const key = annotationKeys.podDeadline
  if (wanted === undefined) return key in worker.annotations && worker.jobs.kind === 'seen' ? { [key]: null } : {}
  const text = printTime(wanted)
  return worker.annotations[key] === text ? {} : { [key]: text }
}

function latestDeadline(jobs: readonly SlurmJob[]): number | undefined {
  const deadlines = jobs.flatMap(({ startedAtMs, timeLimitInMinutes }) => {
    const deadline = deadlineMs(startedAtMs, timeLimitInMinutes)
    if (deadline === undefined) return []
    return Math.min(NEVER_MS, deadline === 'never' ? NEVER_MS : deadline)
  })
  return deadlines.length === 0 ? undefined : Math.max(...deadlines)
}
