import {
  components,
  labelKeys,
  ourLabels,
  ports,
  sshConfigMapName,
  workerDisruptionBudgetName,
  workerServiceName,
  YES,
  type NodeSet,
  type NodeSetWithDefaults,
} from '@slurm-operator/api'
import {
  buildControllerReference,
  buildOwnerReference,
  type ConfigMap,
  type KubeObject,
  type OwnerReference,
  type PodDisruptionBudget,
  type Service,
} from '@slurm-operator/kube'
import { buildMetadata } from '../workload/build-metadata.ts'
import type { Kept } from '../world/trim.ts'
import { workerSshdConfig } from './build-worker-template.ts'

/**
 * The objects of a NodeSet besides its workers. The first two belong to all NodeSets of one Controller together; without
 * the name of one there is nobody to share with, and nobody would own them.
 */
export function buildSharedObjects(
  nodeSet: Kept<NodeSetWithDefaults>,
  siblings: readonly Kept<NodeSet>[],
): readonly KubeObject[] {
  const owners = siblings.toSorted(byName).map((one) => ({ ...buildOwnerReference(one), blockOwnerDeletion: true }))
  const ssh = nodeSet.spec.ssh?.enabled === true ? [buildSshConfig(nodeSet)] : []
  if (owners.length === 0 || !nodeSet.spec.controllerRef.name) return ssh
  return [buildWorkerService(nodeSet, owners), buildDisruptionBudget(nodeSet, owners), ...ssh]
}

/** Of an object that all NodeSets of one Controller own: it names the Slurm cluster and none of them. */
function sharedMetadata(name: string, { metadata, spec }: NodeSetWithDefaults, owners: readonly OwnerReference[]) {
  const labels = { ...ourLabels, [labelKeys.cluster]: spec.controllerRef.name ?? '' }
  return { name, namespace: metadata.namespace, labels, ownerReferences: owners }
}

/** The headless Service that gives each worker of one Slurm cluster its DNS name. */
function buildWorkerService(nodeSet: NodeSetWithDefaults, owners: readonly OwnerReference[]): Service {
  const controller = nodeSet.spec.controllerRef.name ?? ''
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: sharedMetadata(workerServiceName(controller), nodeSet, owners),
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true, // slurmctld resolves a worker while it registers, before it is Ready
      selector: { [labelKeys.app]: components.worker.app, [labelKeys.cluster]: controller },
      ports: [{ name: 'slurmd', port: ports.slurmd, targetPort: 'slurmd', protocol: 'TCP' }],
    },
  }
}

/** Nobody evicts a worker that runs jobs. Workers get the label while they do. */
function buildDisruptionBudget(nodeSet: NodeSetWithDefaults, owners: readonly OwnerReference[]): PodDisruptionBudget {
  const controller = nodeSet.spec.controllerRef.name ?? ''
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: sharedMetadata(workerDisruptionBudgetName(controller), nodeSet, owners),
    spec: {
      maxUnavailable: 0,
      selector: { matchLabels: { [labelKeys.podProtect]: YES, [labelKeys.cluster]: controller } },
    },
  }
}

function buildSshConfig(nodeSet: Kept<NodeSetWithDefaults>): ConfigMap {
  const { metadata, spec } = nodeSet
  const { namespace, name: instance } = metadata
  const common = { name: sshConfigMapName(instance), namespace, component: 'worker', instance } as const
  const labels = { [labelKeys.cluster]: spec.controllerRef.name ?? '' }
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      ...buildMetadata({ ...common, on: 'object', resource: metadata, labels }),
      ownerReferences: [buildControllerReference(nodeSet)],
    },
    immutable: false,
    data: { sshd_config: workerSshdConfig(nodeSet) },
  }
}

function byName({ metadata: one }: Kept<NodeSet>, { metadata: other }: Kept<NodeSet>): number {
  return one.name < other.name ? -1 : 1
}
