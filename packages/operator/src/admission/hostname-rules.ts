/**
 * Host names of workers: they are names of pods, of DNS records and of Slurm nodes at once, so they must fit all three.
 *
 * @module
 */
import type { NodeSet, Problem } from '@slurm-operator/api'
import { LONGEST_LABEL, whyInvalidDnsLabel } from '@slurm-operator/kube'
import { quote, refuse, warn, when } from './problem.ts'

/** What the host names of the workers of a NodeSet begin with; their number comes after it. */
export function hostnamePrefix(nodeSet: NodeSet): string {
  return templateHostname(nodeSet) || `${nodeSet.metadata.name ?? ''}-`
}

/** A value of another type is somebody else's finding. */
function templateHostname({ spec }: NodeSet): string {
  const hostname: unknown = spec.template?.spec?.hostname
  return typeof hostname === 'string' ? hostname : ''
}

/** Names that Kubernetes would refuse, pod after pod. */
export function findHostnameProblems(nodeSet: NodeSet): readonly Problem[] {
  const isChosen = templateHostname(nodeSet) !== ''
  if (!isChosen && nodeSet.spec.scalingMode === 'DaemonSet') return [] // named after their Kube nodes
  if (!isChosen && !nodeSet.metadata.name) return []
  const longest = workerName(nodeSet, (nodeSet.spec.replicas ?? 1) - 1)
  const why = whyInvalidDnsLabel(longest)
  return when(why !== undefined, () =>
    refuse(
      isChosen ? 'spec.template.spec.hostname' : 'metadata.name',
      `would give a worker the host name ${quote(longest)}, but ${why}`,
      `Choose one with lower-case letters, digits and "-", short enough for ${LONGEST_LABEL} characters with the number.`,
    ),
  )
}

/** Two NodeSets of one Slurm cluster whose workers would be the same Slurm nodes, now or when they have more workers. */
export function findSharedHostnames(nodeSet: NodeSet, others: readonly NodeSet[]): readonly Problem[] {
  const shared = others
    .filter((other) => areRivals(nodeSet, other))
    .flatMap((other) => findShared(nodeSet, other) ?? [])
  const worst = shared.find(({ isNow }) => isNow) ?? shared[0]
  if (worst === undefined) return []
  const path = templateHostname(nodeSet) === '' ? 'metadata.name' : 'spec.template.spec.hostname'
  const [name, rival] = [quote(worst.name), quote(worst.rival)]
  const advice = 'Choose another one: in Slurm they would be one and the same node.'
  return worst.isNow
    ? [refuse(path, `would give a worker the host name ${name}, which NodeSet ${rival} uses already`, advice)]
    : [
        warn(
          path,
          `would give a worker the host name ${name}, and so would NodeSet ${rival}, once they have more workers`,
          advice,
        ),
      ]
}

function areRivals(one: NodeSet, other: NodeSet): boolean {
  const isOther = one.metadata.name !== other.metadata.name
  return (
    isOther && one.spec.controllerRef.name === other.spec.controllerRef.name && isNumbered(one) && isNumbered(other)
  )
}

/** A host name that workers of two NodeSets can have; `isNow`: both have so many workers already. */
interface Shared {
  readonly name: string
  readonly rival: string | undefined
  readonly isNow: boolean
}

/** The least ordinal of each length: with the same number of digits all others fit as well, or none. */
const ordinals = [0, ...Array.from({ length: 9 }, (_, zeros) => 10 ** (zeros + 1))]

/** The first one. Host names "w" and "w1" share "w10", and so do "w" and "w" with a padding of two. */
function findShared(nodeSet: NodeSet, rival: NodeSet): Shared | undefined {
  const [short, long] = [nodeSet, rival].sort(
    (one, other) => hostnamePrefix(one).length - hostnamePrefix(other).length,
  ) as [NodeSet, NodeSet]
  for (const ordinal of ordinals) {
    const name = workerName(long, ordinal)
    const same = readOrdinal(short, name)
    if (same === undefined) continue
    const isNow = ordinal < countWorkers(long) && same < countWorkers(short)
    return { name, rival: rival.metadata.name, isNow }
  }
  return undefined
}

/** The number of the worker with this host name, if there can be one. */
function readOrdinal(nodeSet: NodeSet, name: string): number | undefined {
  const prefix = hostnamePrefix(nodeSet)
  if (!name.startsWith(prefix)) return undefined
  const ordinal = Number(name.slice(prefix.length))
  return Number.isInteger(ordinal) && workerName(nodeSet, ordinal) === name ? ordinal : undefined
}

/** One that has none yet will get some. */
function countWorkers({ spec }: NodeSet): number {
  return Math.max(1, spec.replicas ?? 1)
}

function isNumbered({ spec }: NodeSet): boolean {
  return spec.scalingMode !== 'DaemonSet'
}

function workerName(nodeSet: NodeSet, ordinal: number): string {
  const digits = String(Math.max(0, ordinal))
  return `${hostnamePrefix(nodeSet)}${digits.padStart(Math.min(nodeSet.spec.ordinalPadding ?? 0, LONGEST_LABEL), '0')}`
}
