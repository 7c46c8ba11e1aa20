import type { Live, Pod, PodSpec, PodStatus } from '@slurm-operator/kube'

const META = [
  ...(['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp'] as const),
  ...(['labels', 'annotations', 'ownerReferences'] as const),
] as const

/** What an operator reads of a worker pod: who it is, whose it is, where it is and how it is. Not how it was made. */
export interface Worker {
  readonly metadata: Pick<Live<Pod>['metadata'], (typeof META)[number]>
  readonly spec: Pick<PodSpec, 'nodeName' | 'hostname'>
  readonly status: Pick<PodStatus, 'phase' | 'podIP' | 'startTime' | 'conditions'>
}

/** Keep these fields. */
export function keepWorker({ metadata, spec = { containers: [] }, status = {} }: Live<Pod>): Worker {
  return {
    metadata: pick(metadata, META),
    spec: pick(spec, ['nodeName', 'hostname']),
    status: pick(status, ['phase', 'podIP', 'startTime', 'conditions']),
  }
}

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  const kept: Partial<Pick<T, K>> = {}
  for (const name of names) if (from[name] !== undefined) kept[name] = from[name]
  return kept as Pick<T, K>
}
