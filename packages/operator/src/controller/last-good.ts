/**
 * The configuration that slurmctld last worked with, kept in a ConfigMap of its own. slurmctld ends when it is asked to read
 * a slurm.conf that it cannot use, and never starts with it. Then it gets this one, and users read what was wrong.
 *
 * @module
 */
import { containerNames } from '@slurm-operator/api'
import { findTime, type ConfigMap } from '@slurm-operator/kube'
import type { KeptPod } from '../world/trim.ts'
import type { PodConfiguration } from './pod-configuration.ts'
import { isLeaving, isPodReady } from './pods.ts'

/** The ConfigMap that holds it. */
export function lastGoodName(controller: string): string {
  return `${controller}-config-last-good`
}

/** A configuration that slurmctld did not survive. */
export interface Refusal {
  readonly hash: string
  /** What slurmctld said about it. */
  readonly words: string
}

/** On the ConfigMap with slurm.conf while it holds an older one. */
export const refusalAnnotations = {
  hash: 'slinky.slurm.net/refused-config-hash',
  words: 'slinky.slurm.net/refused-because',
} as const

/** What the ConfigMap says about this configuration. */
export function readRefusal(written: Pick<ConfigMap, 'metadata'> | undefined, hash: string): Refusal | undefined {
  const { annotations = {} } = written?.metadata ?? {}
  if (annotations[refusalAnnotations.hash] !== hash) return undefined
  return { hash, words: annotations[refusalAnnotations.words] ?? '' }
}

/** Time after which a slurmctld that works has shown that it can. */
const PROVEN_MS = 60_000

/** Whether slurmctld works with this configuration, and has for a while. */
export function isProven(pods: readonly PodConfiguration[], hash: string, replicas: number, nowMs: number): boolean {
  const staying = pods.filter(({ pod }) => !isLeaving(pod))
  return staying.length === replicas && staying.every((each) => worksWith(each, hash, nowMs - PROVEN_MS))
}

function worksWith({ pod, told, used, usedAtMs, isFresh }: PodConfiguration, hash: string, beforeMs: number): boolean {
  if (told?.hash !== hash || (used !== hash && !isFresh)) return false
  const ready = pod.status.conditions?.find(({ type }) => type === 'Ready')
  const readyMs = ready?.status === 'True' ? findTime(ready.lastTransitionTime) : undefined
  return readyMs !== undefined && Math.max(readyMs, told.atMs, usedAtMs ?? told.atMs) <= beforeMs
}

/** What Slurm says when it does not like its files; other ends have other causes, and older files would not help. */
const ABOUT_FILES = /\.conf\b|configuration|pars(e|ing)|unrecognized|invalid|plugin|topology|partition/i

/** Find out that slurmctld did not survive this configuration. */
export function findRefusal(pods: readonly PodConfiguration[], hash: string): Refusal | undefined {
  const words = pods.flatMap((each) => (each.told?.hash === hash ? (wordsSince(each.pod, each.told.atMs) ?? []) : []))
  return words[0] === undefined ? undefined : { hash, words: words[0] }
}

function wordsSince(pod: KeptPod, sinceMs: number): string | undefined {
  const end = lastEnd(pod)
  if (end === undefined || isPodReady(pod) || end.atMs < sinceMs || end.exitCode === 0) return undefined
  if (end.message === '') return end.isRepeated ? `slurmctld ends with code ${end.exitCode}` : undefined
  return ABOUT_FILES.test(end.message) ? shorten(end.message) : undefined
}

/** How slurmctld last ended in a pod. */
export interface DaemonEnd {
  readonly atMs: number
  readonly exitCode: number
  readonly message: string
  /** The kubelet waits before it starts it again. */
  readonly isRepeated: boolean
}

/** See the type; undefined: it never did. */
export function lastEnd({ status }: KeptPod): DaemonEnd | undefined {
  const daemon = status.containerStatuses?.find(({ name }) => name === containerNames.slurmctld)
  const end = daemon?.state?.terminated ?? daemon?.lastState?.terminated
  const atMs = findTime(end?.finishedAt)
  if (end === undefined || atMs === undefined) return undefined
  const isRepeated = daemon?.state?.waiting?.reason === 'CrashLoopBackOff'
  return { atMs, exitCode: end.exitCode, message: end.message ?? '', isRepeated }
}

const LONGEST = 500

/** The lines that matter: what is wrong stands in errors and in the last line. */
function shorten(message: string): string {
  const lines = message.split('\n').map((line) => line.replace(/^\[?[\d:.T-]+\]?\s*/, '').trim())
  const telling = lines.filter((line, index) => line !== '' && (/error|fatal/.test(line) || index === lines.length - 1))
  return telling.join('; ').slice(0, LONGEST)
}
