/**
 * With several slurmctld one may be away for long: its Kube node is lost, or no other has room for it. A change must not
 * wait for it: those that work go on, and it reads the files when it comes back.
 *
 * @module
 */
import { lastEnd } from './last-good.ts'
import type { PodConfiguration } from './pod-configuration.ts'
import { isLeaving, isPodReady, readyChangedMs } from './pods.ts'

/** A pod that is merely replaced is back by then. */
const AWAY_MS = 30_000

/** Those that matter now; all of them if nobody works. */
export function withoutAway(pods: readonly PodConfiguration[], nowMs: number): readonly PodConfiguration[] {
  const isSomebodyThere = pods.some(({ pod }) => !isLeaving(pod) && isPodReady(pod))
  return isSomebodyThere ? pods.filter((each) => (awayFromMs(each) ?? Infinity) > nowMs) : pods
}

/** When the next one of them counts as away; undefined: never, as it stands. */
export function nextAwayMs(pods: readonly PodConfiguration[]): number | undefined {
  const times = pods.flatMap((each) => awayFromMs(each) ?? [])
  return times.length === 0 ? undefined : Math.min(...times)
}

/** One that ends by itself is not away: its files may be the cause, and those that work must not read them. */
function awayFromMs(each: PodConfiguration): number | undefined {
  return isPodReady(each.pod) || hasCrashed(each) ? undefined : readyChangedMs(each.pod) + AWAY_MS
}

function hasCrashed({ pod, told }: PodConfiguration): boolean {
  const end = lastEnd(pod)
  return end !== undefined && end.exitCode !== 0 && end.atMs >= (told?.atMs ?? 0)
}
