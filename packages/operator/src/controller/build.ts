import type { ControllerWithDefaults } from '@slurm-operator/api'
import type { KubeObject } from '@slurm-operator/kube'
import { errorsIn, missing, obstaclesOf } from '../component/obstacles.ts'
import type { Obstacle, Wish } from '../component/room.ts'
import { keyObstacles } from '../keys/observe-keys.ts'
import type { Built } from '../workload/problem.ts'
import type { Kept } from '../world/trim.ts'
import { buildConfigMap, buildLastGood } from './build-config-map.ts'
import type { Configuration } from './build-configuration.ts'
import { buildServiceMonitor, wantsServiceMonitor } from './build-service-monitor.ts'
import { buildFrontService, buildInternalService, buildMemberServices, findPortProblems } from './build-services.ts'
import { buildStatefulSet } from './build-stateful-set.ts'
import { chooseConfiguration } from './choose-configuration.ts'
import type { ControllerFacts } from './observe.ts'
import { findFileClashes, mapNames, type FoundMaps } from './referenced-files.ts'

type Wanted = Kept<ControllerWithDefaults>

/** Everything that a Controller consists of. What cannot be built is left as it is, and said. */
export function buildController(controller: Wanted, facts: ControllerFacts): Wish {
  const configuration = chooseConfiguration(controller, facts)
  const obstacles = findConfigurationObstacles(controller, facts, configuration)
  const configMap = obstacles.length === 0 ? [buildConfigMap(controller, configuration)] : []
  if (controller.spec.external) return { children: configMap, obstacles }
  const parts = [
    buildServices(controller, facts),
    { children: [...configMap, ...buildLastGood(controller, facts, configuration)], obstacles },
    obstacles.length === 0 ? buildPods(controller, facts, configuration) : nothing,
  ]
  return { children: parts.flatMap(({ children }) => children), obstacles: parts.flatMap((part) => part.obstacles) }
}

const nothing: Wish = { children: [], obstacles: [] }

/** What stops us from writing the files. */
export function findConfigurationObstacles(
  { metadata, spec }: Wanted,
  { accounting, maps }: ControllerFacts,
  { problems }: Configuration,
): Obstacle[] {
  const whose = `Controller ${metadata.name}`
  const accountingName = spec.accountingRef?.name ?? ''
  const lost = spec.external ? [] : findLostFiles(spec, maps)
  const clashes = findFileClashes(spec, maps).map((clash) => ({
    path: 'spec.configFileRefs',
    problem: `clash: ${clash}.`,
  }))
  return [
    ...(accountingName !== '' && accounting === undefined ? [missing(`Accounting ${accountingName}`, whose)] : []),
    ...lost.map((what) => missing(what, whose)),
    ...obstaclesOf([...problems, ...clashes]),
  ]
}

/** ConfigMaps that do not exist, and the file with the keys of others if its ConfigMap lacks it. */
function findLostFiles(spec: Wanted['spec'], maps: FoundMaps): string[] {
  const { name = '', key = '', optional = false } = spec.jwksKeyRef ?? {}
  const jwks = maps.get(name)
  const lost = mapNames(spec).filter((map) => maps.get(map) === undefined && !(optional && map === name))
  const isLost =
    jwks !== undefined && !optional && jwks.data?.[key] === undefined && jwks.binaryData?.[key] === undefined
  return [...lost.map((map) => `ConfigMap ${map}`), ...(isLost ? [`Entry ${key} of ConfigMap ${name}`] : [])]
}

function buildServices(controller: Wanted, { hasServiceMonitors }: ControllerFacts): Wish {
  const isScraped = hasServiceMonitors && wantsServiceMonitor(controller)
  const ports = findPortProblems(controller)
  const services = wishOf(
    buildInternalService(controller),
    buildFrontService(controller, isScraped),
    ...buildMemberServices(controller),
  )
  const monitors = isScraped ? [buildServiceMonitor(controller)] : []
  return {
    children: [...(ports.length === 0 ? services.children : []), ...monitors],
    obstacles: [...services.obstacles, ...obstaclesOf(ports)],
  }
}

function buildPods(controller: Wanted, facts: ControllerFacts, configuration: Configuration): Wish {
  const keys = facts.keys === undefined ? [] : keyObstacles(facts.keys)
  const pods = wishOf(buildStatefulSet(controller, facts, configuration))
  return keys.length === 0 ? pods : { children: [], obstacles: [...keys, ...pods.obstacles] }
}

/** What was built well, and what is wrong with the rest. */
function wishOf(...builts: readonly Built<KubeObject>[]): Wish {
  return {
    children: builts.flatMap(({ value, problems }) => (errorsIn(problems).length > 0 ? [] : [value])),
    obstacles: builts.flatMap(({ problems }) => obstaclesOf(problems)),
  }
}
