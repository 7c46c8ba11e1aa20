import { labelKeys } from '@slurm-operator/api'
import { findTime, nodeResource, podResource, type Live, type Node, type Pod } from '@slurm-operator/kube'
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

/** The number at the end of a name, however many digits it is written with; NaN: there is none. */
export function numberOf(name: string): number {
  return Number(/-(\d+)$/.exec(name)?.[1])
}

/** The Kube node of a worker: where it is, or where alone it may go. */
export function targetOf({ spec }: Pod): string {
  const affinity = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  const [field] = affinity?.nodeSelectorTerms.flatMap(({ matchFields = [] }) => matchFields) ?? []
  return spec?.nodeName ?? field?.values?.[0] ?? ''
}

/** Nothing runs in it any more, and nothing will. */
export function isFinished({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded'
}

/** Ready for so long; undefined: not Ready. */
export function readyForMs({ status }: Pod, nowMs: number): number | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready?.status !== 'True' || status?.phase !== 'Running') return undefined
  return nowMs - (findTime(ready.lastTransitionTime) ?? nowMs)
}

/** The Kube nodes of a pool, but for those where nothing can start now: cordons and losses of power are taints too. */
export function soundNodes({ server }: SimulatedCluster, pool: string): Live<Node>[] {
  return server
    .all(nodeResource)
    .filter(({ metadata, spec = {} }) => metadata.labels?.['pool'] === pool && (spec.taints ?? []).length === 0)
}

/** The name in a path to one pod, if it is one. */
export function podInPath(path: string): string | undefined {
  return /\/namespaces\/[^/]+\/pods\/([^/?]+)(?:\?|$)/.exec(path)?.[1]
}
