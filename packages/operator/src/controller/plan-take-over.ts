/**
 * A backup that has taken over sends nothing to slurmdbd (seen with 26.05): what it has to tell stays in its queue. Once it
 * has read its configuration anew it does. So it is asked to, once for each time that it takes over.
 *
 * @module
 */
import type { PodConfiguration } from './pod-configuration.ts'
import { isBackup } from './pods.ts'

/** What is to be done about take-overs. */
export type TakeOverPlan =
  | { readonly do: 'reconfigure'; readonly isCertain: true; readonly pods: readonly PodConfiguration[] }
  /** It stands by again: the next time counts anew. */
  | { readonly do: 'forget'; readonly pods: readonly PodConfiguration[] }

/**
 * Decide; undefined: nothing.
 *
 * @param inCharge the pod of the slurmctld that Slurm says decides; undefined: nobody could be asked, or there are no books
 */
export function planTakeOver(
  pods: readonly PodConfiguration[],
  inCharge: string | undefined,
): TakeOverPlan | undefined {
  if (inCharge === undefined) return undefined
  const former = pods.filter(({ pod, hasTakenOver }) => hasTakenOver && pod.metadata.name !== inCharge)
  if (former.length > 0) return { do: 'forget', pods: former }
  // The primary takes over when it starts, and needs no help.
  const news = pods.filter(({ pod, hasTakenOver }) => pod.metadata.name === inCharge && isBackup(pod) && !hasTakenOver)
  return news.length > 0 ? { do: 'reconfigure', isCertain: true, pods: news } : undefined
}
