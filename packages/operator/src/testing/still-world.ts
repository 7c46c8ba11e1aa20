/**
 * A world that stands still, for tests of one room without a server: caches that hold what they were given, and a client
 * that changes only them. Every request is noted.
 *
 * @module
 */
import { systemClock, type KubeObject, type ObjectKey } from '@slurm-operator/kube'
import { silentLogger, type Indexes, type Pass } from '@slurm-operator/runtime'
import type { SlurmConnection } from '@slurm-operator/slurm'
import { indexes } from '../world/indexes.ts'
import type { World } from '../world/world.ts'
import { StillServer, type Refuse, type Stored } from './still-server.ts'

/** What is given: objects as people write them, and how Slurm is. */
export interface StillOptions {
  readonly objects: readonly object[]
  readonly namespace: string
  readonly hasServiceMonitors?: boolean
  readonly connection?: Partial<SlurmConnection> | undefined
  readonly refuse?: Refuse
}

/** A world and what was asked of it. */
export interface StillWorld {
  readonly world: World
  /** Such as `patch Pod slurm-controller-0`. */
  readonly requests: readonly string[]
  readonly find: (kind: string, name: string) => KubeObject | undefined
  readonly put: (object: object) => void
}

/** Make it. */
export function createStillWorld(options: StillOptions): StillWorld {
  const requests: string[] = []
  const server = new StillServer(options.namespace, (text, count) => {
    requests.push(text)
    return options.refuse?.(text, count)
  })
  for (const object of options.objects) server.put(object)
  return {
    world: worldOn(server, options),
    requests,
    find: (kind, name) => server.find(kind, { name }),
    put: (object) => void server.put(object),
  }
}

function worldOn(server: StillServer, { connection, hasServiceMonitors = false }: StillOptions): World {
  const cache = (kind: string, by: Indexes<never> = {}) => stillCache(server, kind, by)
  const caches = {
    controllers: cache('Controller', indexes.controller),
    accountings: cache('Accounting', indexes.accounting),
    nodeSets: cache('NodeSet', indexes.nodeSet),
    statefulSets: cache('StatefulSet'),
    services: cache('Service'),
    claims: cache('PersistentVolumeClaim'),
    pods: cache('Pod', indexes.pod),
  }
  const contents = (kind: string) => ({
    read: async (key: ObjectKey) => server.find(kind, key),
    find: (key: ObjectKey) => server.find(kind, key),
    wrote: (object: Stored) => object,
  })
  const parts = {
    ...{ caches, clock: systemClock, random: Math.random, log: silentLogger, clusterDomain: 'cluster.local' },
    secrets: contents('Secret'),
    configMaps: contents('ConfigMap'),
    serviceMonitors: hasServiceMonitors ? cache('ServiceMonitor') : undefined,
    slurm: { find: () => connection },
    client: server.client(),
  }
  return parts as unknown as World
}

function stillCache(server: StillServer, kind: string, by: Indexes<never>) {
  const texts = (index: string, object: Stored): readonly string[] =>
    (by as unknown as Record<string, (object: Stored) => readonly string[]>)[index]?.(object) ?? []
  return {
    get: (key: ObjectKey) => server.find(kind, key),
    list: () => server.list(kind),
    by: (index: string, value: string) => server.list(kind).filter((object) => texts(index, object).includes(value)),
    wrote: (object: Stored) => server.put(object),
    deleted: (key: ObjectKey) => server.remove(kind, key),
  }
}

/** A pass that nobody interrupts. */
export const stillPass: Pass = {
  id: 'test',
  signal: new AbortController().signal,
  log: silentLogger,
  priority: 'normal',
  failures: 0,
}
