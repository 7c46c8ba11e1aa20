/**
 * What is known about the configuration of one slurmctld pod. It stands in annotations of the pod, so that another
 * operator goes on where this one ended, and so that it goes when the pod does.
 *
 * @module
 */
import { containerNames, hashAnnotations, YES } from '@slurm-operator/api'
import { findTime, parseTime, printTime } from '@slurm-operator/kube'
import type { KeptPod } from '../world/trim.ts'
import { hasNoPlace, isBackup } from './pods.ts'

/** The annotations. Writing the first one makes the kubelet refresh the files of the pod at once. */
export const configAnnotations = {
  /** The configuration that the kubelet was told of. */
  hash: hashAnnotations.slurmConfig,
  /** When. */
  toldAt: 'slinky.slurm.net/slurm-config-told-at',
  /** slurmctld was asked to read this one, but its files may have been older. */
  asked: 'slinky.slurm.net/slurm-config-asked',
  /** slurmctld has read this one. */
  used: 'slinky.slurm.net/slurm-config-used',
  /** When. */
  usedAt: 'slinky.slurm.net/slurm-config-used-at',
  /** When and why slurmctld did not take it. */
  refused: 'slinky.slurm.net/slurm-config-refused',
  /** It is a backup in charge, and has read its configuration since. */
  tookOver: 'slinky.slurm.net/slurm-took-over',
} as const

/** See the module. */
export interface PodConfiguration {
  readonly pod: KeptPod
  /** What the kubelet was told of, and when; undefined: of nothing yet. */
  readonly told: { readonly hash: string; readonly atMs: number } | undefined
  readonly asked: string | undefined
  readonly used: string | undefined
  readonly usedAtMs: number | undefined
  readonly refused: { readonly atMs: number; readonly words: string } | undefined
  /** It has just been started: its files are those of now. */
  readonly isFresh: boolean
  /** See `plan-take-over.ts`. */
  readonly hasTakenOver: boolean
}

const FRESH_MS = 60_000

/** Read the annotations of a pod. */
export function readPodConfiguration(pod: KeptPod): PodConfiguration {
  const { annotations = {}, creationTimestamp } = pod.metadata
  const [hash, atMs] = [annotations[configAnnotations.hash], findTime(annotations[configAnnotations.toldAt])]
  const told = hash === undefined || atMs === undefined ? undefined : { hash, atMs }
  const used = annotations[configAnnotations.used]
  const freshUntilMs = Math.max(parseTime(creationTimestamp) + FRESH_MS, firstStartMs(pod) ?? 0)
  const isFresh = used === undefined && told !== undefined && told.atMs < freshUntilMs
  return {
    ...{ pod, told, used, isFresh },
    hasTakenOver: annotations[configAnnotations.tookOver] !== undefined,
    asked: annotations[configAnnotations.asked],
    usedAtMs: findTime(annotations[configAnnotations.usedAt]),
    refused: readRefusal(annotations[configAnnotations.refused]),
  }
}

/** A pod that waited long for a place gets its files when it has one. A container that starts again has those of before. */
function firstStartMs({ status }: KeptPod): number | undefined {
  const daemon = status.containerStatuses?.find(({ name }) => name === containerNames.slurmctld)
  return daemon?.restartCount === 0 ? findTime(daemon.state?.running?.startedAt) : undefined
}

/** Annotations to write; null takes one away. */
export type AnnotationPatch = Readonly<Record<string, string | null>>

/** Tell the kubelet of a configuration. What a fresh pod has read at its start is what it used until now. */
export function tellPatch(
  { pod, told, used, isFresh }: PodConfiguration,
  hash: string,
  nowMs: number,
): AnnotationPatch {
  const hasRead = isFresh && told !== undefined && !hasNoPlace(pod)
  return {
    [configAnnotations.hash]: hash,
    [configAnnotations.toldAt]: printTime(nowMs),
    [configAnnotations.asked]: null,
    [configAnnotations.refused]: null,
    ...(used === undefined && hasRead && { [configAnnotations.used]: told.hash }),
  }
}

/** slurmctld took it; `isCertain`: it cannot have been an older one. */
export function takenPatch(hash: string, isCertain: boolean, nowMs: number): AnnotationPatch {
  return {
    [configAnnotations.asked]: hash,
    [configAnnotations.refused]: null,
    ...(isCertain && { [configAnnotations.used]: hash, [configAnnotations.usedAt]: printTime(nowMs) }),
  }
}

/** Whoever is in charge has read its configuration since it took over. */
export function tookOverPatch({ pod }: PodConfiguration, inCharge: string | undefined): AnnotationPatch {
  return inCharge === pod.metadata.name && isBackup(pod) ? { [configAnnotations.tookOver]: YES } : {}
}

/** It stands by again. */
export const standsByPatch: AnnotationPatch = { [configAnnotations.tookOver]: null }

/** slurmctld did not take it. */
export function refusedPatch(words: string, nowMs: number): AnnotationPatch {
  return { [configAnnotations.refused]: `${printTime(nowMs)} ${words}` }
}

function readRefusal(text: string | undefined): PodConfiguration['refused'] {
  const [time = '', ...words] = (text ?? '').split(' ')
  const atMs = findTime(time)
  return atMs === undefined ? undefined : { atMs, words: words.join(' ') }
}
