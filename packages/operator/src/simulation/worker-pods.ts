import { labelKeys } from '@slurm-operator/api'
import { findTime, podResource, type Live, type Pod } from '@slurm-operator/kube'
import type { SimulatedCluster } from './simulated-cluster.ts'

/** The pods of a NodeSet that are not on their way out. */
export function livingPods({ server }: SimulatedCluster, nodeSet: string): Live<Pod>[] {
  return server
    .all(podResource)
    .filter(({ metadata }) => nodeSetOf({ metadata }) === nodeSet && metadata.deletionTimestamp === undefined)
}

/** The NodeSet whose worker a pod is. */
export function nodeSetOf({ metadata }: Pick<Pod, 'metadata'>): string {
  return metadata.labels?.[labelKeys.instance] ?? ''
}

/** Ready for so long; undefined: not Ready. */
export function readyForMs({ status }: Pod, nowMs: number): number | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready?.status !== 'True' || status?.phase !== 'Running') return undefined
  return nowMs - (findTime(ready.lastTransitionTime) ?? nowMs)
}

/** The name in a path to one pod, if it is one. */
export function podInPath(path: string): string | undefined {
  return /\/namespaces\/[^/]+\/pods\/([^/?]+)(?:\?|$)/.exec(path)?.[1]
}
