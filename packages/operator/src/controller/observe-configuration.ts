import { controllerConfigMapName, controllerStatefulSetName, type ControllerWithDefaults } from '@slurm-operator/api'
import { equalJson, type StatefulSet } from '@slurm-operator/kube'
import { observeStatefulSet } from '../component/observe-workload.ts'
import type { RoomPass } from '../component/room.ts'
import type { Kept } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import { withoutAway } from './away-pods.ts'
import { findConfigurationObstacles } from './build.ts'
import type { Configuration } from './build-configuration.ts'
import { chooseConfiguration } from './choose-configuration.ts'
import type { ControllerFacts } from './observe.ts'
import type { ConfigurationPicture } from './plan-configuration.ts'
import { readPodConfiguration } from './pod-configuration.ts'
import { hasSeenTemplate, isLeaving, isOutdated, podOfHost } from './pods.ts'
import { replicasOf } from './replicas.ts'

type ControllerPass = RoomPass<ControllerWithDefaults>

/** How it stands with the configuration of slurmctld; undefined: what it should be has not been written yet. */
export function observeConfiguration(at: ControllerPass, facts: ControllerFacts): ConfigurationPicture | undefined {
  const { object, world, nowMs } = at
  const configuration = chooseConfiguration(object, facts)
  if (findConfigurationObstacles(object, facts, configuration).length > 0) return undefined
  if (!isWritten(at, configuration)) return undefined
  const { namespace, name } = object.metadata
  const { workload, pods } = observeStatefulSet(world, { namespace, name: controllerStatefulSetName(name) })
  const statefulSet = workload as Kept<StatefulSet> | undefined
  const isCurrent = statefulSet !== undefined && hasSeenTemplate(statefulSet)
  const configured = pods.map(readPodConfiguration)
  const there = withoutAway(configured, nowMs)
  return {
    wanted: configuration.hash,
    pods: configured,
    replicas: replicasOf(object),
    isRollingOut: !isCurrent || there.some(({ pod }) => isLeaving(pod) || isOutdated(pod, statefulSet)),
    isLeftToSidecar: object.spec.inplaceReconfigure,
    connection: connectionOf(world, `${namespace}/${name}`),
    inCharge: findInCharge(at),
    nowMs,
  }
}

/** A write may have failed: then slurmctld must not be asked to read what is not there. */
function isWritten({ object, world }: ControllerPass, { data }: Configuration): boolean {
  const { namespace, name } = object.metadata
  const live = world.configMaps.find({ namespace, name: controllerConfigMapName(name) })
  return equalJson(live?.data ?? {}, data)
}

function findInCharge({ object, world }: ControllerPass): string | undefined {
  const { namespace, name } = object.metadata
  if (replicasOf(object) === 1 || !object.spec.accountingRef?.name) return undefined
  const health = world.slurm.find(`${namespace}/${name}`)?.health()
  return health?.state === 'reachable' ? podOfHost(health.activeController) : undefined
}

function connectionOf({ slurm }: Pick<World, 'slurm'>, key: string): ConfigurationPicture['connection'] {
  const connection = slurm.find(key)
  if (connection === undefined) return 'none'
  return connection.health().state === 'reachable' ? 'reachable' : 'silent'
}
