/**
 * Small questions about slurmctld pods.
 *
 * @module
 */
import { findTime, parseTime, type StatefulSet } from '@slurm-operator/kube'
import type { Kept, KeptPod } from '../world/trim.ts'

/** The StatefulSet controller writes it: the name of the template that a pod was made from. */
const REVISION = 'controller-revision-hash'

/** Whether its probes pass. */
export function isPodReady({ status }: KeptPod): boolean {
  return status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false
}

/** Whether no Kube node has been found for it, so that nothing of it has started. */
export function hasNoPlace({ status }: KeptPod): boolean {
  return status.conditions?.some(({ type, status: is }) => type === 'PodScheduled' && is === 'False') ?? false
}

/** Whether it is on its way out. */
export function isLeaving({ metadata }: KeptPod): boolean {
  return metadata.deletionTimestamp !== undefined
}

/** The number at the end of its name. */
export function ordinalOf({ metadata }: KeptPod): number {
  return Number(/\d+$/.exec(metadata.name)?.[0] ?? 0)
}

/** The first is the primary; the others stand by. */
export function isBackup(pod: KeptPod): boolean {
  return ordinalOf(pod) > 0
}

/** When it last became ready or ceased to be: never before it was made, though another clock may say so. */
export function readyChangedMs({ metadata, status }: KeptPod): number {
  const ready = status.conditions?.find(({ type }) => type === 'Ready')
  return Math.max(parseTime(metadata.creationTimestamp), findTime(ready?.lastTransitionTime) ?? 0)
}

/** The pod of a slurmctld: slurm.conf names each after its pod, and its address may follow behind a dot. */
export function podOfHost(host: string | undefined): string | undefined {
  return host?.split('.')[0]
}

/** Whether the StatefulSet controller has seen the newest template, so that its revisions mean something. */
export function hasSeenTemplate({ metadata, status }: Kept<StatefulSet>): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0) && status?.updateRevision !== undefined
}

/** Whether a pod was made from an older template. */
export function isOutdated({ metadata }: KeptPod, { status }: Kept<StatefulSet>): boolean {
  return metadata.labels?.[REVISION] !== status?.updateRevision
}
