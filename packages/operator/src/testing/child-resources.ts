import {
  configMapResource,
  controllerRevisionResource,
  deploymentResource,
  persistentVolumeClaimResource,
  podDisruptionBudgetResource,
  podResource,
  secretResource,
  serviceResource,
  statefulSetResource,
  type KubeObject,
  type Resource,
} from '@slurm-operator/kube'

/** Every kind that an operator of this API makes. */
export const childResources = [
  ...[configMapResource, secretResource, serviceResource, persistentVolumeClaimResource, podResource],
  ...[statefulSetResource, deploymentResource, controllerRevisionResource, podDisruptionBudgetResource],
] as unknown as readonly Resource<KubeObject>[]
