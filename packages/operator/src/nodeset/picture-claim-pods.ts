/**
 * Which pods of the namespace are workers of this NodeSet.
 *
 * @module
 */
import { API_GROUP_VERSION, selectorLabels } from '@slurm-operator/api'
import { findControllingOwner } from '@slurm-operator/kube'
import { readNumberedName } from './picture-identity.ts'
import type { PodFacts } from './picture-worker.ts'
import type { Wanted } from './picture.ts'

/** The pods of a NodeSet, and those that it must let go. Orphans among the claimed are adopted by the plan. */
interface ClaimedPods<P extends PodFacts> {
  readonly claimed: readonly P[]
  readonly stray: readonly { readonly pod: string; readonly uid: string }[]
  /** The names of all others. */
  readonly others: ReadonlySet<string>
}

type Claimant = Pick<Wanted, 'name' | 'namespace' | 'uid' | 'scalingMode' | 'deletedAtMs'>

/** See the module. */
export function claimPods<P extends PodFacts>(pods: readonly P[], claimant: Claimant): ClaimedPods<P> {
  const selector = Object.entries(selectorLabels('worker', claimant.name))
  const matches = (pod: PodFacts): boolean => selector.every(([key, value]) => pod.metadata.labels?.[key] === value)
  const owned = pods.filter((pod) => isOwned(pod, claimant))
  const orphans = pods.filter((pod) => mayAdopt(pod, claimant))
  const claimed = [...owned, ...orphans].filter(matches)
  return {
    claimed,
    others: claimed.length === pods.length ? NOBODY : namesBut(pods, claimed),
    stray: owned.filter((pod) => !matches(pod)).map(({ metadata: { name = '', uid = '' } }) => ({ pod: name, uid })),
  }
}

const NOBODY: ReadonlySet<string> = new Set()

function namesBut(pods: readonly PodFacts[], some: readonly PodFacts[]): ReadonlySet<string> {
  const nameOf = ({ metadata: { name = '' } }: PodFacts): string => name
  return new Set(pods.map(nameOf)).difference(new Set(some.map(nameOf)))
}

function isOwned(pod: PodFacts, { name, namespace, uid }: Claimant): boolean {
  const owner = findControllingOwner(pod)
  if (owner === undefined || pod.metadata.namespace !== namespace) return false
  return owner.kind === 'NodeSet' && owner.apiVersion === API_GROUP_VERSION && owner.name === name && owner.uid === uid
}

/** Without an owner, the name tells whose it is. What is going away, or whose owner is, stays as it is. */
function mayAdopt(pod: PodFacts, { name, namespace, scalingMode, deletedAtMs }: Claimant): boolean {
  if (findControllingOwner(pod) !== undefined || pod.metadata.namespace !== namespace) return false
  if (pod.metadata.deletionTimestamp !== undefined || deletedAtMs !== undefined) return false
  if (scalingMode === 'DaemonSet') return pod.metadata.generateName === `${name}-`
  return readNumberedName(pod.metadata.name ?? '')?.parent === name
}
