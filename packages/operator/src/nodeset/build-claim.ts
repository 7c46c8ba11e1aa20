import { selectorLabels, type NodeSetWithDefaults } from '@slurm-operator/api'
import { buildControllerReference, type PersistentVolumeClaim } from '@slurm-operator/kube'
import type { Kept } from '../world/trim.ts'
import type { ClaimWish } from './steps.ts'

/** A claim of one worker, from the template of its name. */
export function buildClaim(nodeSet: Kept<NodeSetWithDefaults>, wish: ClaimWish): PersistentVolumeClaim {
  const { metadata, spec } = nodeSet
  const templates = (spec.volumeClaimTemplates ?? []) as readonly PersistentVolumeClaim[]
  const template = templates.find((one) => one.metadata?.name === wish.template)
  const { labels, annotations } = template?.metadata ?? {}
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: wish.name,
      namespace: metadata.namespace,
      labels: { ...labels, ...selectorLabels('worker', metadata.name) },
      ...(annotations !== undefined && { annotations }),
      ...(wish.ownedByNodeSet && { ownerReferences: [buildControllerReference(nodeSet)] }),
    },
    ...(template?.spec !== undefined && { spec: template.spec }),
  }
}
