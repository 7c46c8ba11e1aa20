/**
 * The containers of a slurmctld pod. Images come from the resource.
 *
 * @module
 */
import {
  clusterNameOf,
  components,
  containerNames,
  paths,
  probePaths,
  slurmctldSpoolPath,
  users,
  volumeNames,
  type ControllerWithDefaults,
} from '@slurm-operator/api'
import type { Container, Probe, VolumeMount } from '@slurm-operator/kube'
import { mergeContainer } from '../workload/merge-container.ts'
import type { Built } from '../workload/problem.ts'
import { buildLogfileContainer, buildReconfigureContainer } from '../workload/shared-containers.ts'
import { slurmctldPort } from './build-services.ts'
import { REPAIR_CONTAINER, repairScript } from './repair-script.ts'
import { replicasOf } from './replicas.ts'

type Plain = Pick<ControllerWithDefaults, 'metadata' | 'spec'>

/** Why a container ended stands in its status, so that people need not look for its log. */
const tellsWhy = { terminationMessagePolicy: 'FallbackToLogsOnError' } as const

const asSlurm = { runAsNonRoot: true, runAsUser: users.slurm.id, runAsGroup: users.slurm.id } as const

/** slurmctld with what the user said about it. */
export function buildSlurmctld(controller: Plain): Built<Container> {
  return mergeContainer(baseSlurmctld(controller), controller.spec.slurmctld, 'spec.slurmctld')
}

/** The containers beside slurmctld, in the order in which they start. */
export function buildSideContainers({ spec }: Plain): Built<Container[]> {
  const logfile = { ...buildLogfileContainer(paths.slurmctldLog), ...tellsWhy }
  const reconfigure = { ...buildReconfigureContainer(), ...tellsWhy }
  const merged = [
    ...(spec.inplaceReconfigure ? [mergeContainer(reconfigure, spec.reconfigure, 'spec.reconfigure')] : []),
    mergeContainer(logfile, spec.logfile, 'spec.logfile'),
  ]
  return { value: merged.map(({ value }) => value), problems: merged.flatMap(({ problems }) => problems) }
}

/** What saves the life of a slurmctld that was killed before it had saved its state; only accounting needs it. */
export function buildRepairContainer(controller: Plain, { image, imagePullPolicy }: Container): Container {
  return {
    name: REPAIR_CONTAINER,
    ...(image !== undefined && { image }),
    ...(imagePullPolicy !== undefined && { imagePullPolicy }),
    command: ['sh', '-c', repairScript],
    env: [
      { name: 'STATE', value: slurmctldSpoolPath(clusterNameOf(controller)) },
      { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ],
    securityContext: asSlurm,
    ...tellsWhy,
    volumeMounts: [stateMount(controller)],
  }
}

function baseSlurmctld(controller: Plain): Container {
  const isShared = replicasOf(controller) > 1
  return {
    name: containerNames.slurmctld,
    ports: [{ name: components.controller.app, containerPort: slurmctldPort(controller), protocol: 'TCP' }],
    startupProbe: { ...probe(probePaths.live), ...patience },
    livenessProbe: { ...probe(probePaths.live), ...patience },
    // A backup that stands by lives, but never says that it is ready.
    readinessProbe: probe(isShared ? probePaths.live : probePaths.ready),
    securityContext: asSlurm,
    ...tellsWhy,
    volumeMounts: [
      { name: volumeNames.slurmEtc, mountPath: paths.config, readOnly: true },
      { name: volumeNames.run, mountPath: '/run' },
      stateMount(controller),
      { name: volumeNames.authSocket, mountPath: paths.slurmctldRun },
      { name: volumeNames.logfile, mountPath: paths.logs },
    ],
  }
}

const patience = { periodSeconds: 10, failureThreshold: 6 } as const

function probe(path: string): Probe {
  return { httpGet: { path, port: components.controller.app } }
}

function stateMount(controller: Plain): VolumeMount {
  return { name: volumeNames.stateSave, mountPath: slurmctldSpoolPath(clusterNameOf(controller)) }
}
