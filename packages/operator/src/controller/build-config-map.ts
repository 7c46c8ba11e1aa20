import { controllerConfigMapName, type ControllerWithDefaults } from '@slurm-operator/api'
import { buildControllerReference, type ConfigMap } from '@slurm-operator/kube'
import { buildMetadata, type MetadataInput } from '../workload/build-metadata.ts'
import type { Kept } from '../world/trim.ts'
import type { Configuration } from './build-configuration.ts'
import type { ChosenConfiguration } from './choose-configuration.ts'
import { isProven, lastGoodName, refusalAnnotations } from './last-good.ts'
import type { ControllerFacts } from './observe.ts'
import { replicasOf } from './replicas.ts'

type Wanted = Kept<ControllerWithDefaults>

/** The ConfigMap with slurm.conf. slurmrestd reads it, too, also that of an external Controller. */
export function buildConfigMap(controller: Wanted, { data, refused }: ChosenConfiguration): ConfigMap {
  const { metadata, spec } = controller
  return buildMap(controller, data, {
    name: controllerConfigMapName(metadata.name),
    ...(spec.external && { extra: spec.template?.metadata }),
    ...(refused && {
      hashes: { [refusalAnnotations.hash]: refused.hash, [refusalAnnotations.words]: refused.words },
    }),
  })
}

/** The ConfigMap with the files that slurmctld last worked with; none as long as it has not worked with any. */
export function buildLastGood(controller: Wanted, facts: ControllerFacts, chosen: ChosenConfiguration): ConfigMap[] {
  const { pods, nowMs, lastGood } = facts
  const isNew = chosen.refused === undefined && isProven(pods, chosen.hash, replicasOf(controller), nowMs)
  const data = isNew ? chosen.data : lastGood?.data
  return data === undefined ? [] : [buildMap(controller, data, { name: lastGoodName(controller.metadata.name) })]
}

function buildMap(
  controller: Wanted,
  data: Configuration['data'],
  input: Pick<MetadataInput, 'name' | 'extra' | 'hashes'>,
): ConfigMap {
  const { namespace, name: instance } = controller.metadata
  const common = { namespace, instance, component: 'controller', on: 'object', resource: controller.metadata } as const
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...buildMetadata({ ...common, ...input }), ownerReferences: [buildControllerReference(controller)] },
    immutable: false,
    data,
  }
}
