import * as kube from '@slurm-operator/kube'
import type { KubeObject, Resource } from '@slurm-operator/kube'
import { builtinTopology } from '../ownership/builtin-topology.ts'
import type { ResourceType } from './resource-type.ts'

interface Row {
  readonly resource: Resource<KubeObject>
  readonly short?: readonly string[]
  readonly below?: readonly string[]
  readonly counted?: boolean
  readonly all?: boolean
  readonly review?: boolean
}

const row = <T extends KubeObject>(resource: Resource<T>, more: Omit<Row, 'resource'> = {}): Row => ({
  resource,
  ...more,
})

const rows: readonly Row[] = [
  row(kube.configMapResource, { short: ['cm'] }),
  row(kube.eventResource, { short: ['ev'] }),
  row(kube.namespaceResource, { short: ['ns'], below: ['status', 'finalize'] }),
  row(kube.nodeResource, { short: ['no'], below: ['status'] }),
  row(kube.persistentVolumeResource, { short: ['pv'], below: ['status'] }),
  row(kube.persistentVolumeClaimResource, { short: ['pvc'], below: ['status'] }),
  row(kube.podResource, { short: ['po'], below: ['status', 'binding', 'eviction'], counted: true, all: true }),
  row(kube.secretResource),
  row(kube.serviceResource, { short: ['svc'], below: ['status'], all: true }),
  row(kube.serviceAccountResource, { short: ['sa'] }),
  row(kube.controllerRevisionResource),
  row(kube.daemonSetResource, { short: ['ds'], below: ['status'], counted: true, all: true }),
  row(kube.deploymentResource, { short: ['deploy'], below: ['status', 'scale'], counted: true, all: true }),
  row(kube.replicaSetResource, { short: ['rs'], below: ['status', 'scale'], counted: true, all: true }),
  row(kube.statefulSetResource, { short: ['sts'], below: ['status', 'scale'], counted: true, all: true }),
  row(kube.jobResource, { below: ['status'], counted: true, all: true }),
  row(kube.podDisruptionBudgetResource, { short: ['pdb'], below: ['status'], counted: true }),
  row(kube.endpointSliceResource, { counted: true }),
  row(kube.leaseResource),
  row(kube.eventsEventResource, { short: ['ev'] }),
  row(kube.networkPolicyResource, { short: ['netpol'], counted: true }),
  row(kube.storageClassResource, { short: ['sc'] }),
  row(kube.clusterRoleResource),
  row(kube.clusterRoleBindingResource),
  row(kube.roleResource),
  row(kube.roleBindingResource),
  row(kube.mutatingWebhookConfigurationResource, { counted: true }),
  row(kube.validatingWebhookConfigurationResource, { counted: true }),
  row(kube.customResourceDefinitionResource, { short: ['crd', 'crds'], below: ['status'], counted: true }),
  row(kube.tokenReviewResource, { review: true }),
  row(kube.selfSubjectAccessReviewResource, { review: true }),
  row(kube.subjectAccessReviewResource, { review: true }),
]

/** The kinds that every server has; those of which `kube` knows the types. */
export const builtinTypes: readonly ResourceType[] = rows.map(typeOf)

function typeOf({ resource, short = [], below = [], counted = false, all = false, review = false }: Row): ResourceType {
  const { group, version, plural, kind, namespaced } = resource
  return {
    ...{ group, version, plural, kind, namespaced },
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    shortNames: short,
    categories: all ? ['all'] : [],
    subresources: below,
    hasGeneration: counted,
    isReview: review,
    topology: builtinTopology(resource),
  }
}
