/**
 * Why the scheduler would not put a pod on a Kube node: the filters that matter for worker pods.
 *
 * @module
 */
import {
  matchesLabels,
  readLabelSelector,
  type Node,
  type NodeSelectorRequirement,
  type NodeSelectorTerm,
  type Pod,
  type PodAffinityTerm,
  type Taint,
  type Toleration,
} from '@slurm-operator/kube'

type Labels = Readonly<Record<string, string>>

/** Undefined: it fits. `others` are the pods that are on the node already. */
export function whyNotOnNode(pod: Pod, node: Node, others: readonly Pod[]): string | undefined {
  if (node.spec?.unschedulable === true && !tolerates(pod, unschedulable)) return 'it is unschedulable'
  if (!matchesSelector(pod, node)) return 'it does not match the selector or the affinity'
  const taint = (node.spec?.taints ?? []).find((one) => one.effect !== 'PreferNoSchedule' && !tolerates(pod, one))
  if (taint !== undefined) return `it has the taint ${taint.key}`
  const rival = others.find((other) => repels(pod, other) || repels(other, pod))
  return rival === undefined ? undefined : `pod ${rival.metadata.name} is there`
}

const unschedulable: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

/** Whether a pod may stay on, or go to, a node with this taint. */
function tolerates(pod: Pod, taint: Taint): boolean {
  return (pod.spec?.tolerations ?? []).some((toleration) => matchesTaint(toleration, taint))
}

/** How long a pod stays under a NoExecute taint; undefined: for ever. */
export function staysForSeconds(pod: Pod, taint: Taint): number | undefined {
  const matching = (pod.spec?.tolerations ?? []).filter((toleration) => matchesTaint(toleration, taint))
  if (matching.length === 0) return 0
  const limits = matching.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? [])
  return limits.length < matching.length ? undefined : Math.min(...limits)
}

function matchesTaint({ key = '', operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== taint.effect) return false
  if (operator === 'Exists') return key === '' || key === taint.key
  return key === taint.key && value === (taint.value ?? '')
}

function matchesSelector({ spec }: Pod, node: Node): boolean {
  const labels = node.metadata.labels ?? {}
  if (!Object.entries(spec?.nodeSelector ?? {}).every(([key, value]) => labels[key] === value)) return false
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  return required === undefined || required.nodeSelectorTerms.some((term) => matchesTerm(term, node))
}

function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { metadata }: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false
  const fields = { 'metadata.name': metadata.name ?? '' }
  return (
    matchExpressions.every((one) => matchesRequirement(one, metadata.labels ?? {})) &&
    matchFields.every((one) => matchesRequirement(one, fields))
  )
}

/** `Gt` and `Lt` are not played: no worker asks for them. */
function matchesRequirement({ key, operator, values = [] }: NodeSelectorRequirement, labels: Labels): boolean {
  if (operator === 'In' || operator === 'NotIn') return matchesLabels([{ key, operator, values }], labels)
  if (operator === 'Exists' || operator === 'DoesNotExist') return matchesLabels([{ key, operator }], labels)
  return false
}

/** Anti-affinity, by host name only. */
function repels(pod: Pod, other: Pod): boolean {
  const terms = pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  return terms.some((term) => term.topologyKey === 'kubernetes.io/hostname' && selects(term, other))
}

function selects({ labelSelector }: PodAffinityTerm, { metadata }: Pod): boolean {
  return labelSelector !== undefined && matchesLabels(readLabelSelector(labelSelector), metadata.labels ?? {})
}
