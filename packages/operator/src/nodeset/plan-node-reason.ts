import { annotationKeys } from '@slurm-operator/api'
import { buildReason, REASON_PREFIX } from '@slurm-operator/slurm'
import type { KubeNode, Wanted } from './picture.ts'

/**
 * The drain reason for a cordoned Kube node: what its annotation says, else the conditions that the operator was told to
 * pass on, else that it is cordoned.
 */
export function nodeDrainReason(node: KubeNode, pod: string, wanted: Wanted, propagated: readonly string[]): string {
  const annotated = node.annotations[annotationKeys.nodeCordonReason]
  if (annotated !== undefined) return buildReason(REASON_PREFIX, annotated)
  const conditions = propagated.flatMap((type) =>
    node.conditions
      .filter((condition) => condition.type === type && condition.status === 'True')
      .map(({ reason, message }) => `(${reason}: ${message})`),
  )
  if (conditions.length > 0) return buildReason(REASON_PREFIX, conditions.join('; '))
  return buildReason(REASON_PREFIX, `Kube node ${node.name} of pod ${wanted.namespace}/${pod} is cordoned`)
}
