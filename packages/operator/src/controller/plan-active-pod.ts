import { labelKeys, YES } from '@slurm-operator/api'
import type { KeptPod } from '../world/trim.ts'
import { isPodReady, ordinalOf } from './pods.ts'

/** Who gets the mark of the slurmctld in charge, and who loses it. */
export interface ActivePodPlan {
  readonly active: string | undefined
  readonly mark: readonly string[]
  readonly unmark: readonly string[]
}

/**
 * The Service in front leads to the pod with the mark. Every pod is born with it, so that there is an endpoint also while
 * the operator is away; with several of them all but one lose it again.
 *
 * @param activeHost the host that Slurm itself named; undefined: nobody could be asked
 */
export function planActivePod(pods: readonly KeptPod[], activeHost: string | undefined): ActivePodPlan {
  const present = pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .toSorted((a, b) => ordinalOf(a) - ordinalOf(b))
  const active = (findByHost(present, activeHost) ?? guessActive(present))?.metadata.name
  const names = (which: (pod: KeptPod) => boolean) => present.filter(which).map(({ metadata }) => metadata.name)
  return {
    active,
    mark: names((pod) => pod.metadata.name === active && !isMarked(pod)),
    unmark: names((pod) => pod.metadata.name !== active && isMarked(pod)),
  }
}

/** slurm.conf names each slurmctld after its pod; its address may follow behind a dot. */
function findByHost(pods: readonly KeptPod[], host: string | undefined): KeptPod | undefined {
  const [name] = (host ?? '').split('.')
  return pods.find(({ metadata }) => metadata.name === name)
}

/** The last known one as long as it works; else the first that works; else the first: it is the primary. */
function guessActive(pods: readonly KeptPod[]): KeptPod | undefined {
  const ready = pods.filter(isPodReady)
  return ready.find(isMarked) ?? ready[0] ?? pods.find(isMarked) ?? pods[0]
}

function isMarked({ metadata }: KeptPod): boolean {
  return metadata.labels?.[labelKeys.active] === YES
}
