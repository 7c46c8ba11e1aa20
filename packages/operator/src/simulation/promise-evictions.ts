import { annotationKeys, YES } from '@slurm-operator/api'
import type { Live, Pod } from '@slurm-operator/kube'
import type { Witness } from './witness.ts'
import { nodeSetOf } from './worker-pods.ts'

/** Slurm is asked twice a minute at rest, and `kubectl drain` tries every five seconds. */
const CROSSING_MS = 40_000

/** Where workers are protected until they are drained, no eviction ends a job. To be told of each before it happens. */
export function promiseEvictions({ cluster, recent, orders, accuse }: Witness): (pod: Live<Pod>) => void {
  const { machines } = cluster
  return (pod) => {
    const { uid, name } = pod.metadata
    const isPromised = recent.of(nodeSetOf(pod)).every((one) => {
      const isWanted = one?.metadata.annotations?.[annotationKeys.protectUntilDrained] === YES
      return isWanted && one?.spec.workloadDisruptionProtection
    })
    const isCrossing = orders.isWithin(pod.spec?.hostname ?? '', CROSSING_MS)
    const jobs = machines.jobsIn(uid)
    if (isPromised && !isCrossing && jobs.length > 0)
      accuse(`pod ${name} was evicted while job ${jobs.join(', ')} ran in it`)
  }
}
