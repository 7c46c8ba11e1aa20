import { controllerConfigMapName, type ControllerWithDefaults } from '@slurm-operator/api'
import { buildControllerReference, type ConfigMap } from '@slurm-operator/kube'
import { buildMetadata } from '../workload/build-metadata.ts'
import type { Kept } from '../world/trim.ts'
import type { Configuration } from './build-configuration.ts'

/** The ConfigMap with slurm.conf. slurmrestd reads it, too, also that of an external Controller. */
export function buildConfigMap(controller: Kept<ControllerWithDefaults>, { data }: Configuration): ConfigMap {
  const { metadata, spec } = controller
  const { namespace, name: instance } = metadata
  const common = { namespace, instance, component: 'controller', on: 'object', resource: metadata } as const
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      ...buildMetadata({
        ...common,
        name: controllerConfigMapName(instance),
        ...(spec.external && { extra: spec.template?.metadata }),
      }),
      ownerReferences: [buildControllerReference(controller)],
    },
    immutable: false,
    data,
  }
}
