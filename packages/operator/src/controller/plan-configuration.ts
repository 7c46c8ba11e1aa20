/**
 * How a changed configuration reaches slurmctld without a restart: the kubelet is told to refresh the files of every
 * pod, and when they have them, slurmctld is asked once to read them.
 *
 * Nobody tells when the kubelet is done. It usually takes a second, and a minute and a half at most. So slurmctld is asked
 * early; if what it reports afterwards does not prove that it read new files, it is asked once more when it is certain.
 *
 * @module
 */
import { nextAwayMs, withoutAway } from './away-pods.ts'
import { planTakeOver, type TakeOverPlan } from './plan-take-over.ts'
import type { PodConfiguration } from './pod-configuration.ts'
import { isLeaving, isPodReady } from './pods.ts'

/** Everything the plan is made from. */
export interface ConfigurationPicture {
  /** The hash of what slurmctld should use. */
  readonly wanted: string
  readonly pods: readonly PodConfiguration[]
  readonly replicas: number
  /** A new template is on its way: new pods read their files anyway. */
  readonly isRollingOut: boolean
  /** A container in the pod asks slurmctld by itself. */
  readonly isLeftToSidecar: boolean
  readonly connection: 'none' | 'silent' | 'reachable'
  /** The pod of the slurmctld that Slurm says decides, where it matters: with several of them, and accounting. */
  readonly inCharge: string | undefined
  readonly nowMs: number
}

/** What to do now. */
export type ConfigurationPlan =
  | { readonly do: 'nothing' }
  | { readonly do: 'tell'; readonly pods: readonly PodConfiguration[] }
  /** `isCertain`: the pods surely have the new files, so that nothing needs to be proved. */
  | { readonly do: 'reconfigure'; readonly isCertain: boolean; readonly pods: readonly PodConfiguration[] }
  | TakeOverPlan
  | { readonly do: 'wait'; readonly for: 'pods' | 'connection' | 'kubelet' | 'retry'; readonly inSeconds?: number }

/** The kubelet has usually refreshed the files by then. */
const SOON_MS = 3_000
/** It certainly has: its period of a minute, and the age of what it may have cached. */
const SURELY_MS = 100_000
/** Slurm said no. A change is tried at once; the same again only now and then. */
const RETRY_MS = 5 * 60_000
/** From then on the status says that nobody can ask slurmctld. */
export const NO_CONNECTION_MS = 2 * 60_000

/** Decide the next step. */
export function planConfiguration(picture: ConfigurationPicture): ConfigurationPlan {
  const { wanted, isLeftToSidecar, nowMs } = picture
  const staying = picture.pods.filter(({ pod }) => !isLeaving(pod))
  const untold = staying.filter(({ told }) => told?.hash !== wanted)
  if (untold.length > 0) return { do: 'tell', pods: untold }
  const isSettled = ({ used }: PodConfiguration) => isLeftToSidecar || used === wanted
  const takeOver = planTakeOver(staying.filter(isSettled), picture.inCharge)
  if (takeOver !== undefined) return takeOver
  const there = withoutAway(picture.pods, nowMs)
  const pods = there.filter(({ pod }) => !isLeaving(pod))
  if (pods.every(isSettled)) return { do: 'nothing' }
  return planReconfigure({ ...picture, pods, replicas: picture.replicas - (picture.pods.length - there.length) })
}

function planReconfigure(picture: ConfigurationPicture): ConfigurationPlan {
  const { pods, replicas, isRollingOut, connection, nowMs } = picture
  if (isRollingOut || pods.length < replicas || !pods.every(({ pod }) => isPodReady(pod))) return waitForPods(picture)
  const toldMs = lastToldMs(pods)
  if (connection !== 'reachable')
    return { do: 'wait', for: 'connection', inSeconds: secondsUntil(toldMs + NO_CONNECTION_MS, nowMs) }
  const refusedMs = Math.max(-Infinity, ...pods.map(({ refused }) => refused?.atMs ?? -Infinity))
  if (refusedMs + RETRY_MS > nowMs)
    return { do: 'wait', for: 'retry', inSeconds: secondsUntil(refusedMs + RETRY_MS, nowMs) }
  return planAsking(picture, toldMs)
}

function waitForPods({ pods, nowMs }: ConfigurationPicture): ConfigurationPlan {
  const awayMs = pods.length > 1 ? nextAwayMs(pods) : undefined
  return { do: 'wait', for: 'pods', ...(awayMs !== undefined && { inSeconds: secondsUntil(awayMs, nowMs) }) }
}

function planAsking({ wanted, pods, nowMs }: ConfigurationPicture, toldMs: number): ConfigurationPlan {
  const wasAsked = pods.every(({ asked }) => asked === wanted)
  const dueMs = toldMs + (wasAsked ? SURELY_MS : SOON_MS)
  if (nowMs < dueMs) return { do: 'wait', for: 'kubelet', inSeconds: secondsUntil(dueMs, nowMs) }
  const isCertain = nowMs >= toldMs + SURELY_MS || hasSurelyRead(pods, wanted)
  return { do: 'reconfigure', isCertain, pods }
}

/** Each has read it when it started, or was asked to before. */
export function hasSurelyRead(pods: readonly PodConfiguration[], wanted: string): boolean {
  return pods.every(({ isFresh, used }) => isFresh || used === wanted)
}

/** When the last pod was told. */
export function lastToldMs(pods: readonly PodConfiguration[]): number {
  return Math.max(...pods.map(({ told }) => told?.atMs ?? -Infinity))
}

function secondsUntil(dueMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((dueMs - nowMs) / 1000))
}
