import { findTime, printTime } from '@slurm-operator/kube'
import { CONDEMNED } from './picture-keys.ts'
import type { Worker } from './picture.ts'
import type { StepEvent } from './steps.ts'

/** Why a worker must leave. */
export type LeaveReason =
  | 'NodeSetDeleted' // the NodeSet goes, and asked for a drain first
  | 'PodFinished' // nothing runs in it any more
  | 'ScaleIn' // there are more than wanted
  | 'NodeGone' // its Kube node does not exist any more
  | 'NodeNotWanted' // no worker may run on its Kube node
  | 'Duplicate' // another one is on the same Kube node
  | 'PinLost' // it waits for a Kube node that it cannot have
  | 'HostnameMismatch' // Slurm would take it for a stranger
  | 'ScalingModeChanged' // it would never be counted again
  | 'Outdated' // it has an old template
  | 'NotRegistered' // it runs, and Slurm does not know it
  | 'InvalidRegistration' // Slurm refuses it because of its old record

/** A worker that was chosen to leave. How it leaves is always the same: drain, wait for Slurm's word, delete. */
export interface Condemnation {
  readonly worker: Worker
  readonly reason: LeaveReason
  readonly because: string
  readonly event?: StepEvent
}

/** Everybody who leaves, by the uid of the pod. */
export type Leaving = ReadonlyMap<string, Condemnation>

/** Does its data go with it? Only those that nobody will ever replace are scaled in. */
export function isScaleIn({ reason }: Condemnation): boolean {
  return reason === 'ScaleIn' || reason === 'NodeGone' || reason === 'NodeNotWanted'
}

/** The mark of an earlier pass: why and since when. */
export function readCondemned({
  annotations,
}: Pick<Worker, 'annotations'>): { reason: string; sinceMs?: number } | undefined {
  const [reason = '', time] = (annotations[CONDEMNED] ?? '').split(' ')
  if (reason === '') return undefined
  const sinceMs = findTime(time)
  return sinceMs === undefined ? { reason } : { reason, sinceMs }
}

/** The mark for the passes to come; the time of the first condemnation stays. */
export function printCondemned({ worker, reason }: Condemnation, nowMs: number): string {
  return `${reason} ${printTime(readCondemned(worker)?.sinceMs ?? nowMs)}`
}
