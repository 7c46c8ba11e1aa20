/**
 * All files that slurmctld reads: those that we write, and those that the Controller refers to.
 *
 * @module
 */
import {
  accountingServiceName,
  clusterNameOf,
  configFiles,
  controllerPodName,
  controllerServiceName,
  ports,
  shortServiceHost,
  slurmNodeSetName,
  type AccountingWithDefaults,
  type ControllerWithDefaults,
  type NodeSetWithDefaults,
} from '@slurm-operator/api'
import {
  buildSlurmConf,
  type AccountingAddress,
  type ExternalInput,
  type ManagedInput,
  type ScriptFiles,
} from '../conf/build-slurm-conf.ts'
import { cgroupConf } from '../conf/cgroup-conf.ts'
import type { NodeSetLine } from '../conf/partition-lines.ts'
import { servicePort } from '../workload/build-service.ts'
import { hashOfMap } from '../workload/hash.ts'
import type { Problem } from '../workload/problem.ts'
import { memberAddress, slurmctldPort } from './build-services.ts'
import type { ControllerFacts } from './observe.ts'
import { contentsOf, filesIn, type FoundMaps } from './referenced-files.ts'
import { replicasOf } from './replicas.ts'
import { restartHash } from './restart-hash.ts'

/** See the module. */
export interface Configuration {
  /** The files that we write. */
  readonly data: Readonly<Record<string, string>>
  /** Of all files, ours and others. */
  readonly hash: string
  /** Of what cannot change while slurmctld runs. */
  readonly restartHash: string
  readonly problems: readonly Problem[]
}

type Plain = Pick<ControllerWithDefaults, 'metadata' | 'spec'>

/** Write the files. */
export function buildConfiguration(controller: Plain, facts: ControllerFacts): Configuration {
  const { spec } = controller
  const input = spec.external ? externalInput(controller, facts) : managedInput(controller, facts)
  const { text, problems } = buildSlurmConf(input)
  const hasCgroupConf = filesIn(spec, 'configFileRefs', facts.maps).includes(configFiles.cgroupConf)
  const data = {
    ...(!spec.external && !hasCgroupConf && { [configFiles.cgroupConf]: cgroupConf }),
    [configFiles.slurmConf]: text,
  }
  return { ...withHashes(controller, facts, data), problems }
}

/** Files and what stands for them. */
export function withHashes(
  { spec }: Plain,
  { maps }: Pick<ControllerFacts, 'maps'>,
  data: Configuration['data'],
): Omit<Configuration, 'problems'> {
  const text = data[configFiles.slurmConf] ?? ''
  const hash = hashOfMap({ ...data, ...contentsOf(spec, maps) })
  return { data, hash, restartHash: restartHash(text, jwksOf(spec, maps)) }
}

function externalInput({ metadata, spec }: Plain, { accounting }: ControllerFacts): ExternalInput {
  const { host, port } = spec.externalConfig ?? { host: '', port: ports.slurmctld }
  const address = accounting && accountingAddress(accounting)
  return { kind: 'external', clusterName: clusterNameOf({ metadata, spec }), host, port, accounting: address }
}

function managedInput(controller: Plain, facts: ControllerFacts): ManagedInput {
  const { accounting, nodeSets, formerNodeSets, maps } = facts
  const { metadata, spec } = controller
  const { name, namespace } = metadata
  return {
    kind: 'managed',
    clusterName: clusterNameOf(controller),
    hosts: Array.from({ length: replicasOf(controller) }, (_, ordinal) => ({
      name: controllerPodName(name, ordinal),
      address: memberAddress(controller, ordinal),
    })),
    address: shortServiceHost(controllerServiceName(name), namespace),
    port: slurmctldPort(controller),
    accounting: accounting && accountingAddress(accounting),
    hasJwks: spec.jwksKeyRef !== undefined,
    hasMetrics: spec.metrics.enabled,
    scripts: scriptsOf(spec, maps),
    nodeSets: [...nodeSets.map(lineOf), ...formerNodeSets.lines],
    wantedWorkers: nodeSets.reduce((sum, nodeSet) => sum + workersOf(nodeSet), 0),
    extraConf: spec.extraConf,
  }
}

/** Where slurmctld reaches slurmdbd: outside of Kubernetes, or behind its Service. */
function accountingAddress({ metadata, spec }: Pick<AccountingWithDefaults, 'metadata' | 'spec'>): AccountingAddress {
  if (spec.external && spec.externalConfig !== undefined) return spec.externalConfig
  return { host: accountingServiceName(metadata.name), port: servicePort(spec.service, ports.slurmdbd) }
}

function scriptsOf(spec: Plain['spec'], maps: FoundMaps): ScriptFiles {
  return {
    prologSlurmctld: filesIn(spec, 'prologSlurmctldScriptRefs', maps),
    epilogSlurmctld: filesIn(spec, 'epilogSlurmctldScriptRefs', maps),
    prolog: filesIn(spec, 'prologScriptRefs', maps),
    epilog: filesIn(spec, 'epilogScriptRefs', maps),
  }
}

function lineOf(nodeSet: Pick<NodeSetWithDefaults, 'metadata' | 'spec'>): NodeSetLine {
  const { enabled, config } = nodeSet.spec.partition
  return {
    name: nodeSet.metadata.name,
    slurmName: slurmNodeSetName(nodeSet),
    ...(enabled && { partition: { config } }),
  }
}

function workersOf({ spec, status }: Pick<NodeSetWithDefaults, 'spec' | 'status'>): number {
  return spec.scalingMode === 'DaemonSet' ? (status?.desired ?? 0) : spec.replicas
}

function jwksOf({ jwksKeyRef }: Plain['spec'], maps: FoundMaps): string | undefined {
  if (jwksKeyRef === undefined) return undefined
  const { data = {}, binaryData = {} } = maps.get(jwksKeyRef.name ?? '') ?? {}
  return data[jwksKeyRef.key] ?? binaryData[jwksKeyRef.key]
}
