import { ask, every, hasState, isRefusalOnly } from '@slurm-operator/slurm'
import type { Wanted, Worker } from './picture.ts'
import { readPodInfo } from './picture-pod-info.ts'
import type { LeaveReason } from './plan-condemnation.ts'
import { isFinished } from './plan-release.ts'
import type { StepEvent } from './steps.ts'

/** Why a worker must be replaced. */
interface Cause {
  readonly reason: LeaveReason
  readonly because: string
  readonly event?: StepEvent
}

/** What a worker is measured by. */
export interface Measure {
  readonly wanted: Pick<Wanted, 'scalingMode'>
  /** The hash of the newest template. */
  readonly revisionHash: string
  /** The host name that its place asks for now; undefined if nothing speaks against the one it has. */
  readonly expectedHostname: string | undefined
  /** The Kube node that it is pinned to now; empty: to none; undefined: its place is the user's business. */
  readonly pinnedTo: string | undefined
  readonly nowMs: number
}

type Check = (worker: Worker, measure: Measure) => Cause | undefined

/** The first cause wins, and its reason is what users read in the Event.
 *  A new cause is one line here, one function below and one row in the test. */
const replacementCauses: readonly Check[] = [
  podHasFinished, // nothing runs any more, so nothing needs draining
  scalingModeChanged, // it would never be counted again
  pinIsLost, // it would wait for ever
  hostnameMoved, // Slurm would take it for a stranger
  registrationRefused, // it will never take a job again
  templateIsOutdated, // everything else a user can change
]

/** Why this worker must be replaced; undefined if it need not. When it is replaced is decided elsewhere. */
export function whyReplace(worker: Worker, measure: Measure): Cause | undefined {
  for (const check of replacementCauses) {
    const cause = check(worker, measure)
    if (cause) return cause
  }
  return undefined
}

/** Slurm refuses what slurmd registers with, and nobody has said anything about the node that would go with its record. */
function isRefused({ slurmNode }: Pick<Worker, 'slurmNode'>): boolean {
  return every(hasState(slurmNode, 'INVALID_REG'), ask(slurmNode, isRefusalOnly)) === 'yes'
}

function podHasFinished(worker: Worker): Cause | undefined {
  if (!isFinished(worker)) return undefined
  const cause: Cause = { reason: 'PodFinished', because: `its phase is ${worker.phase}` }
  if (worker.mode !== 'DaemonSet') return cause
  const failed = worker.phase === 'Failed'
  const event = failed
    ? ({ type: 'Warning', reason: 'FailedDaemonPod' } as const)
    : ({ type: 'Normal', reason: 'SucceededDaemonPod' } as const)
  return { ...cause, event }
}

function scalingModeChanged({ mode }: Worker, { wanted }: Measure): Cause | undefined {
  if (mode === wanted.scalingMode) return undefined
  return { reason: 'ScalingModeChanged', because: `the scaling mode is ${wanted.scalingMode} now` }
}

/** Only one that has not begun: who runs somewhere stays there. */
function pinIsLost({ mode, nodeName, targetNode }: Worker, { pinnedTo }: Measure): Cause | undefined {
  const waits = mode === 'StatefulSet' && nodeName === '' && targetNode !== ''
  if (!waits || pinnedTo === undefined || pinnedTo === targetNode) return undefined
  return { reason: 'PinLost', because: `Kube node ${targetNode}, which it waits for, is gone or taken` }
}

function hostnameMoved({ hostname }: Worker, { expectedHostname }: Measure): Cause | undefined {
  if (expectedHostname === undefined || expectedHostname === hostname) return undefined
  const because = `its host name is ${hostname} and should be ${expectedHostname}`
  return { reason: 'HostnameMismatch', because, event: { type: 'Normal', reason: 'HostnameMismatch' } }
}

/** A worker that Slurm refuses runs no jobs, so that one more try now and then costs nothing. */
const REFUSED_PATIENCE_MS = 15 * 60_000

/**
 * A record from before, recognised by our note in it. Without the note it is probably new and the spec itself is wrong;
 * but the note may have been lost, so it is tried again after a while.
 */
function registrationRefused(worker: Worker, { nowMs }: Measure): Cause | undefined {
  const { slurmNode, runningSinceMs } = worker
  if (!isRefused(worker) || slurmNode.kind !== 'seen') return undefined
  const isFromBefore = readPodInfo(slurmNode.value.comment) !== undefined
  const isOld = runningSinceMs !== undefined && nowMs - runningSinceMs >= REFUSED_PATIENCE_MS
  if (!isFromBefore && !isOld) return undefined
  const because = 'its old record in Slurm does not fit what it registers with'
  return { reason: 'InvalidRegistration', because, event: { type: 'Warning', reason: 'InvalidRegistration' } }
}

function templateIsOutdated(worker: Worker, { revisionHash }: Measure): Cause | undefined {
  if (worker.revisionHash === revisionHash) return undefined
  return { reason: 'Outdated', because: `it has the template ${worker.revisionHash || 'without a hash'}` }
}
