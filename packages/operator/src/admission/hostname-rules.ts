/**
 * Host names of workers: they are names of pods, of DNS records and of Slurm nodes at once, so they must fit all three.
 *
 * @module
 */
import type { NodeSet, Problem } from '@slurm-operator/api'
import { LONGEST_LABEL, whyInvalidDnsLabel } from '@slurm-operator/kube'
import { quote, refuse, when } from './problem.ts'

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

/** Two NodeSets of one Slurm cluster whose workers would be the same Slurm nodes. */
export function findSharedHostnames(nodeSet: NodeSet, others: readonly NodeSet[]): readonly Problem[] {
  if (!isNumbered(nodeSet)) return []
  const first = workerName(nodeSet, 0)
  const rival = others.find(
    (other) =>
      other.metadata.name !== nodeSet.metadata.name &&
      other.spec.controllerRef.name === nodeSet.spec.controllerRef.name &&
      isNumbered(other) &&
      workerName(other, 0) === first,
  )
  if (rival === undefined) return []
  const path = templateHostname(nodeSet) === '' ? 'metadata.name' : 'spec.template.spec.hostname'
  const problem = `would give a worker the host name ${quote(first)}, which NodeSet ${quote(rival.metadata.name)} uses already`
  return [refuse(path, problem, 'Choose another one: in Slurm they would be one and the same node.')]
}

function isNumbered({ spec }: NodeSet): boolean {
  return spec.scalingMode !== 'DaemonSet'
}

function workerName(nodeSet: NodeSet, ordinal: number): string {
  const digits = String(Math.max(0, ordinal))
  return `${hostnamePrefix(nodeSet)}${digits.padStart(Math.min(nodeSet.spec.ordinalPadding ?? 0, LONGEST_LABEL), '0')}`
}
