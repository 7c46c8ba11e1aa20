import {
  components,
  controllerInternalServiceName,
  controllerStatefulSetName,
  hashAnnotations,
  labelKeys,
  selectorLabels,
  users,
  YES,
  type ControllerWithDefaults,
} from '@slurm-operator/api'
import { buildControllerReference, type PodSpec, type StatefulSet } from '@slurm-operator/kube'
import { buildMetadata } from '../workload/build-metadata.ts'
import { mergePodSpec } from '../workload/merge-pod-spec.ts'
import type { Built } from '../workload/problem.ts'
import type { Kept } from '../world/trim.ts'
import { buildStateVolume, findStateProblems } from './build-claim.ts'
import type { Configuration } from './build-configuration.ts'
import { buildRepairContainer, buildSideContainers, buildSlurmctld } from './build-containers.ts'
import { buildVolumes } from './build-volumes.ts'
import type { ControllerFacts } from './observe.ts'
import { replicasOf } from './replicas.ts'

/** On the pod template: the settings that need a restart. All others reach slurmctld without one. */
const RESTART_HASH = hashAnnotations.slurmRestart

type Wanted = Kept<ControllerWithDefaults>

/** The slurmctld pods. */
export function buildStatefulSet(
  controller: Wanted,
  facts: ControllerFacts,
  configuration: Configuration,
): Built<StatefulSet> {
  const { metadata, spec } = controller
  const { namespace, name: instance } = metadata
  const common = {
    namespace,
    instance,
    name: controllerStatefulSetName(instance),
    component: 'controller',
    resource: metadata,
    extra: spec.template?.metadata,
  } as const
  const pod = buildPodSpec(controller)
  const state = buildStateVolume(controller)
  const value: StatefulSet = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {
      ...buildMetadata({ ...common, on: 'object' }),
      ownerReferences: [buildControllerReference(controller)],
    },
    spec: {
      replicas: replicasOf(controller),
      revisionHistoryLimit: 0,
      serviceName: controllerInternalServiceName(instance),
      selector: { matchLabels: selectorLabels('controller', instance) },
      template: {
        metadata: buildMetadata({
          ...common,
          on: 'pod-template',
          labels: { [labelKeys.active]: YES },
          hashes: hashesOf(facts, configuration),
          defaultContainer: components.controller.app,
        }),
        spec: pod.value,
      },
      ...(state.kind === 'claim-template' && { volumeClaimTemplates: [state.template] }),
    },
  }
  return { value, problems: [...pod.problems, ...findStateProblems(controller, facts.existingClaim)] }
}

function hashesOf({ keys }: ControllerFacts, { restartHash }: Configuration): Readonly<Record<string, string>> {
  return {
    [hashAnnotations.slurmKey]: keys?.slurm.hash ?? '',
    [hashAnnotations.jwtKey]: keys?.jwt.hash ?? '',
    [RESTART_HASH]: restartHash,
  }
}

function buildPodSpec(controller: Wanted): Built<PodSpec> {
  const { spec } = controller
  const slurmctld = buildSlurmctld(controller)
  const sides = buildSideContainers(controller)
  const repair = spec.accountingRef?.name ? [buildRepairContainer(controller, slurmctld.value)] : []
  const base: PodSpec = {
    automountServiceAccountToken: false,
    securityContext: podSecurity,
    initContainers: [...sides.value, ...repair],
    containers: [slurmctld.value],
    volumes: buildVolumes(controller),
  }
  const merged = mergePodSpec(base, spec.template?.spec, 'spec.template.spec', apart(controller))
  return { value: merged.value, problems: [...slurmctld.problems, ...sides.problems, ...merged.problems] }
}

const podSecurity = {
  runAsNonRoot: true,
  runAsUser: users.slurm.id,
  runAsGroup: users.slurm.id,
  fsGroup: users.slurm.id,
} as const

/** A backup on the Kube node of the primary would end with it. */
function apart(controller: Wanted) {
  if (replicasOf(controller) === 1) return {}
  const labelSelector = { matchLabels: selectorLabels('controller', controller.metadata.name) }
  return { apartFrom: { labelSelector, topologyKey: 'kubernetes.io/hostname' } }
}
