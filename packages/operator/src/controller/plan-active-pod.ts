import { labelKeys, YES } from '@slurm-operator/api'
import type { ConnectionHealth, ControllerHealth } from '@slurm-operator/slurm'
import type { KeptPod } from '../world/trim.ts'
import { isPodReady, ordinalOf, podOfHost, readyChangedMs } from './pods.ts'

/** Who gets the mark of the slurmctld in charge, and who loses it. */
export interface ActivePodPlan {
  readonly active: string | undefined
  readonly mark: readonly string[]
  readonly unmark: readonly string[]
}

/** What Slurm said about its slurmctld, by their hosts. */
export interface SaidOfControllers {
  /** Who decides; undefined: nobody could be asked. */
  readonly active: string | undefined
  /** Who did not answer the last ping. */
  readonly silent: readonly string[]
}

/**
 * The Service in front leads to the pod with the mark. Every pod is born with it, so that there is an endpoint also while
 * the operator is away; with several of them all but one lose it again.
 */
export function planActivePod(pods: readonly KeptPod[], said: SaidOfControllers): ActivePodPlan {
  const present = pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .toSorted((a, b) => ordinalOf(a) - ordinalOf(b))
  const active = findActive(present, said)?.metadata.name
  const names = (which: (pod: KeptPod) => boolean) => present.filter(which).map(({ metadata }) => metadata.name)
  return {
    active,
    mark: names((pod) => pod.metadata.name === active && !isMarked(pod)),
    unmark: names((pod) => pod.metadata.name !== active && isMarked(pod)),
  }
}

/**
 * What speaks for a pod, the weightiest first. A Service leads only to pods that are ready, so the one that Slurm named a
 * while ago is of no use while it starts anew. Without Slurm's word it is the last known one, unless Slurm found it
 * silent. Otherwise it is the first: the primary.
 */
function findActive(pods: readonly KeptPod[], { active, silent }: SaidOfControllers): KeptPod | undefined {
  const points = (pod: KeptPod): number =>
    (isPodReady(pod) ? 8 : 0) +
    (isOn(pod, active) ? 4 : 0) +
    (silent.some((host) => isOn(pod, host)) ? 0 : 2) +
    (isMarked(pod) ? 1 : 0)
  return pods.toSorted((a, b) => points(b) - points(a))[0]
}

/** What is known of several slurmctld. */
type Heard = Pick<ConnectionHealth, 'state'> & {
  readonly controllers: readonly Pick<ControllerHealth, 'hostname' | 'responding' | 'pingedAtMs'>[]
}

/** So often Slurm is asked while a backup stands by and nobody decides. */
export const TAKE_OVER_SECONDS = 5

/**
 * Whether Slurm must be asked now who answers. One of several slurmctld has come or gone since: another may be in charge, and
 * at rest nobody would ask for half a minute. Or a backup is about to take over, while less and less is asked.
 */
export function mustAskAnew(pods: readonly KeptPod[], heard: Heard, nowMs: number): boolean {
  const { controllers } = heard
  if (controllers.length < 2) return false
  const isOld = controllers.every(({ pingedAtMs }) => nowMs - pingedAtMs >= TAKE_OVER_SECONDS * 1000)
  return (isOld && isTakeOverAwaited(heard)) || hasChangedSince(pods, controllers)
}

/** Whether somebody stands by while nobody decides. */
export function isTakeOverAwaited({ state, controllers }: Heard): boolean {
  return state === 'unreachable' && controllers.length > 1 && controllers.some(({ responding }) => responding)
}

function hasChangedSince(pods: readonly KeptPod[], controllers: Heard['controllers']): boolean {
  return pods.some((pod) => {
    const known = controllers.find(({ hostname }) => isOn(pod, hostname))
    return known !== undefined && readyChangedMs(pod) > known.pingedAtMs
  })
}

function isOn({ metadata }: KeptPod, host: string | undefined): boolean {
  return podOfHost(host) === metadata.name
}

function isMarked({ metadata }: KeptPod): boolean {
  return metadata.labels?.[labelKeys.active] === YES
}
