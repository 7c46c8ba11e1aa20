/**
 * Where a worker may run, by the rules of the scheduler that a DaemonSet knows: selector, required affinity, taints.
 *
 * @module
 */
import {
  matchesLabels,
  parseInt64,
  type NodeSelectorRequirement,
  type NodeSelectorTerm,
  type Taint,
  type Toleration,
} from '@slurm-operator/kube'
import type { KubeNode, Placement } from './picture.ts'

/** May a worker be started on a Kube node, and may one that is there stay? */
export interface Verdict {
  readonly mayStart: boolean
  readonly mayStay: boolean
  /** Only a passing trouble of the Kube node speaks against a start: it still counts among those that should have one. */
  readonly isDesired: boolean
  readonly because: string
}

/** Taints that come and go with the health of a Kube node; pods of a DaemonSet stay through them. */
const PASSING_TAINTS: ReadonlySet<string> = new Set([
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/unschedulable',
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/memory-pressure',
  'node.kubernetes.io/pid-pressure',
  'node.kubernetes.io/network-unavailable',
])

/** See the module. */
export function judgePlace(placement: Placement, node: KubeNode): Verdict {
  if (!fitsNode(placement, node)) {
    const because = `Kube node ${node.name} does not match the selector or the affinity`
    return { mayStart: false, mayStay: false, isDesired: false, because }
  }
  const untolerated = node.taints.filter(
    (taint) => taint.effect !== 'PreferNoSchedule' && !isTolerated(taint, placement),
  )
  const lasting = untolerated.filter(({ key }) => !PASSING_TAINTS.has(key))
  const [taint] = [...lasting, ...untolerated]
  return {
    mayStart: untolerated.length === 0,
    mayStay: lasting.every(({ effect }) => effect !== 'NoExecute'),
    isDesired: lasting.length === 0,
    because: taint === undefined ? `Kube node ${node.name} fits` : `Kube node ${node.name} has the taint ${taint.key}`,
  }
}

/** Does the Kube node match, whatever its health? A pin outlasts a cordon. */
export function fitsNode({ nodeSelector, requiredNodes }: Placement, node: KubeNode): boolean {
  if (!Object.entries(nodeSelector).every(([key, value]) => node.labels[key] === value)) return false
  return requiredNodes === undefined || requiredNodes.nodeSelectorTerms.some((term) => matchesTerm(term, node))
}

/** An empty term matches nothing. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: KubeNode): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false
  const fields = { 'metadata.name': node.name }
  return (
    matchExpressions.every((requirement) => matchesRequirement(requirement, node.labels)) &&
    matchFields.every((requirement) => matchesRequirement(requirement, fields))
  )
}

/** A requirement that cannot be read matches nothing; admission tells its author. */
function matchesRequirement(requirement: NodeSelectorRequirement, labels: Readonly<Record<string, string>>): boolean {
  const { key, operator, values = [] } = requirement
  switch (operator) {
    case 'In':
    case 'NotIn':
      return matchesLabels([{ key, operator, values }], labels)
    case 'Exists':
    case 'DoesNotExist':
      return matchesLabels([{ key, operator }], labels)
    case 'Gt':
    case 'Lt': {
      const than = parseInt64(values[0])
      const word = operator === 'Gt' ? 'GreaterThan' : 'LessThan'
      return than !== undefined && values.length === 1 && matchesLabels([{ key, operator: word, than }], labels)
    }
    default:
      return false
  }
}

function isTolerated(taint: Taint, { tolerations }: Placement): boolean {
  return tolerations.some((toleration) => tolerates(toleration, taint))
}

/** An empty text means the same as none, as everywhere in Kubernetes: charts often write one. */
function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false
  if (operator === 'Exists') return !key || key === taint.key
  if (operator && operator !== 'Equal') return false
  return key === taint.key && (value ?? '') === (taint.value ?? '')
}
