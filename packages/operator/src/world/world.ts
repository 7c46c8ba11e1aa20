/**
 * What all loops share: the caches they read, the client they write with, the clock, and the connections to Slurm.
 *
 * @module
 */
import { configMapResource, secretResource, type Client, type Clock, type Random } from '@slurm-operator/kube'
import {
  NoOpMemory,
  SecretValues,
  type ChildKind,
  type Logger,
  type RecordEvent,
  type WriteGate,
} from '@slurm-operator/runtime'
import type { SlurmRegistry } from '@slurm-operator/slurm'
import { createCaches, type Caches, type CacheWorld } from './caches.ts'
import { cachedChild, createChildKinds, createWorkerChildKinds, type ContentStores } from './child-kinds.ts'
import { Contents } from './contents.ts'
import { HiddenEntries } from './hidden-entries.ts'
import { createServiceMonitorCache, type ServiceMonitorCache } from './service-monitor-cache.ts'
import { serviceMonitorResource } from './service-monitor.ts'

/** See the module. */
export interface World extends ContentStores {
  /** Writes through it are refused while this process is not certain to lead. */
  readonly client: Client
  readonly caches: Caches
  /** Where the Prometheus operator is not installed there is none. */
  readonly serviceMonitors: ServiceMonitorCache | undefined
  readonly childKinds: readonly ChildKind[]
  /** Those of NodeSets. */
  readonly workerChildKinds: readonly ChildKind[]
  readonly knownNoOps: NoOpMemory
  readonly slurm: SlurmRegistry
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  /** To be asked before every write to Slurm; the client asks it by itself. */
  readonly gate: WriteGate
  /** Record Events as this loop: `controller-controller`. */
  readonly eventsAs: (reporter: string) => RecordEvent
  /** `cluster.local`, as the pods of this Kubernetes cluster resolve it. */
  readonly clusterDomain: string
  /** Conditions of Kube nodes that become drain reasons. */
  readonly propagatedConditions: readonly string[]
}

/** What a world is made of. */
export interface WorldOptions
  extends CacheWorld, Pick<World, 'slurm' | 'log' | 'gate' | 'eventsAs' | 'clusterDomain' | 'propagatedConditions'> {
  readonly hasServiceMonitors: boolean
  /** Where entries of Secrets that loops read are registered, so that nobody prints them. */
  readonly secretValues?: SecretValues
}

/** Make the world. Nothing is read before its caches run. */
export function createWorld(options: WorldOptions): World {
  const { client, slurm, clock, random, log, gate, eventsAs, clusterDomain, propagatedConditions } = options
  const caches = createCaches(options)
  const hidden = new HiddenEntries(options.secretValues ?? new SecretValues())
  const contents: ContentStores = {
    secrets: new Contents(caches.secretNames, client.resource(secretResource), (secret) => hidden.follow(secret)),
    configMaps: new Contents(caches.configMapNames, client.resource(configMapResource)),
  }
  const serviceMonitors = options.hasServiceMonitors ? createServiceMonitorCache(options) : undefined
  const monitorKinds =
    serviceMonitors === undefined ? [] : [cachedChild(client, serviceMonitorResource, serviceMonitors)]
  const childKinds = [...createChildKinds(client, caches, contents), ...monitorKinds]
  const workerChildKinds = createWorkerChildKinds(client, caches, contents)
  const shared = { client, slurm, clock, random, log, gate, eventsAs, clusterDomain, propagatedConditions }
  return { ...shared, ...contents, caches, serviceMonitors, childKinds, workerChildKinds, knownNoOps: new NoOpMemory() }
}
