import { selectorLabels, type NodeSetWithDefaults } from '@slurm-operator/api'
import { buildControllerReference, type ControllerRevision, type JsonValue } from '@slurm-operator/kube'
import { inheritEntries } from '../workload/inherited-metadata.ts'
import type { Kept } from '../world/trim.ts'
import { REVISION_HASH_LABEL } from './picture-keys.ts'
import type { StepOf } from './steps.ts'

/** The ControllerRevision that keeps one state of the template. */
export function buildRevision(
  nodeSet: Kept<NodeSetWithDefaults>,
  { name, hash, number, json }: StepOf<'create-revision'>,
): ControllerRevision {
  const { metadata, spec } = nodeSet
  const labels = { ...spec.template?.metadata?.labels, ...selectorLabels('worker', metadata.name) }
  const annotations = inheritEntries(metadata.annotations)
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name,
      namespace: metadata.namespace,
      labels: { ...labels, [REVISION_HASH_LABEL]: hash },
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ownerReferences: [buildControllerReference(nodeSet)],
    },
    revision: number,
    data: JSON.parse(json) as JsonValue as never,
  }
}
