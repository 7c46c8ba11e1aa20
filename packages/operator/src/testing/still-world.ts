/**
 * A world that stands still, for tests of one room without a server: caches that hold what they were given, and a client
 * that changes only them. Every request is noted.
 *
 * @module
 */
import {
  applyMergePatch,
  KubeError,
  systemClock,
  type JsonObject,
  type KubeObject,
  type ObjectKey,
  type Patch,
  type Resource,
} from '@slurm-operator/kube'
import { silentLogger, type Indexes, type Pass } from '@slurm-operator/runtime'
import type { SlurmConnection } from '@slurm-operator/slurm'
import { indexes } from '../world/indexes.ts'
import type { KeptMeta } from '../world/trim.ts'
import type { World } from '../world/world.ts'

type Any = KubeObject & { readonly metadata: KeptMeta }

/** What is given: objects as people write them, and how Slurm is. */
export interface StillOptions {
  readonly objects: readonly object[]
  readonly namespace: string
  readonly hasServiceMonitors?: boolean
  readonly connection?: Partial<SlurmConnection> | undefined
  /** What the server says to a write, if not yes. */
  readonly refuse?: (request: string) => KubeError | undefined
}

/** A world and what was asked of it. */
export interface StillWorld {
  readonly world: World
  /** Such as `patch Pod slurm-controller-0`. */
  readonly requests: readonly string[]
  readonly find: (kind: string, name: string) => KubeObject | undefined
  readonly put: (object: object) => void
}

/** An object as a server would have it. */
export function stored<T extends object>(object: T, namespace: string): T & Any {
  const given = object as unknown as KubeObject
  const { name = '' } = given.metadata
  const metadata = {
    ...{ namespace, uid: `uid-of-${given.kind}-${name}`, resourceVersion: '1', generation: 1 },
    ...{ creationTimestamp: '2026-01-01T00:00:00Z', managedFields: [] },
    ...given.metadata,
  }
  return { ...given, metadata } as unknown as T & Any
}

/** Make it. */
export function createStillWorld(options: StillOptions): StillWorld {
  const objects = new Map<string, Any>()
  const keyText = (kind: string, name: string) => `${kind}/${name}`
  const put = (object: object) => {
    const whole = stored(object, options.namespace)
    objects.set(keyText(whole.kind, whole.metadata.name), whole)
  }
  for (const object of options.objects) put(object)
  const requests: string[] = []
  const store: Store = {
    get: (kind, { name }) => objects.get(keyText(kind, name)),
    list: (kind) => [...objects.values()].filter((object) => object.kind === kind),
    put,
    remove: (kind, { name }) => objects.delete(keyText(kind, name)),
    note: (request) => {
      requests.push(request)
      const refusal = options.refuse?.(request)
      if (refusal !== undefined) throw refusal
    },
  }
  const find = (kind: string, name: string) => store.get(kind, { name })
  return { world: worldOf(store, options), requests, find, put }
}

interface Store {
  readonly get: (kind: string, key: ObjectKey) => Any | undefined
  readonly list: (kind: string) => readonly Any[]
  readonly put: (object: object) => void
  readonly remove: (kind: string, key: ObjectKey) => void
  readonly note: (request: string) => void
}

function worldOf(store: Store, { connection, hasServiceMonitors = false }: StillOptions): World {
  const cache = (kind: string, by: Indexes<never> = {}) => stillCache(store, kind, by)
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
    read: async (key: ObjectKey) => store.get(kind, key),
    find: (key: ObjectKey) => store.get(kind, key),
    wrote: (object: Any) => object,
  })
  const parts = {
    ...{ caches, clock: systemClock, random: Math.random, log: silentLogger, clusterDomain: 'cluster.local' },
    secrets: contents('Secret'),
    configMaps: contents('ConfigMap'),
    serviceMonitors: hasServiceMonitors ? cache('ServiceMonitor') : undefined,
    slurm: { find: () => connection },
    client: { resource: (resource: Resource<KubeObject>) => stillClient(store, resource) },
  }
  return parts as unknown as World
}

function stillCache(store: Store, kind: string, by: Indexes<never>) {
  const texts = (index: string, object: Any): readonly string[] =>
    (by as unknown as Record<string, (object: Any) => readonly string[]>)[index]?.(object) ?? []
  return {
    get: (key: ObjectKey) => store.get(kind, key),
    list: () => store.list(kind),
    by: (index: string, value: string) => store.list(kind).filter((object) => texts(index, object).includes(value)),
    wrote: (object: Any) => store.put(object),
    deleted: (key: ObjectKey) => store.remove(kind, key),
  }
}

function stillClient(store: Store, { kind }: Resource<KubeObject>) {
  return {
    find: async (key: ObjectKey) => store.get(kind, key),
    get: async (key: ObjectKey) => store.get(kind, key),
    create: async (object: KubeObject) => {
      store.note(`create ${kind} ${object.metadata.name ?? ''}`)
      store.put(object)
      return store.get(kind, { name: object.metadata.name ?? '' })
    },
    patch: async (key: ObjectKey, patch: Patch) => {
      store.note(`patch ${kind} ${key.name}`)
      const before = store.get(kind, key)
      if (before === undefined || patch.type !== 'merge') throw notFound(kind, key)
      const after = applyMergePatch(before as unknown as JsonObject, patch.body as JsonObject) as unknown as Any
      store.put(after)
      return after
    },
    delete: async (key: ObjectKey) => {
      store.note(`delete ${kind} ${key.name}`)
      return { kind: 'deleted', uid: store.get(kind, key)?.metadata.uid }
    },
  }
}

function notFound(kind: string, { name }: ObjectKey): KubeError {
  return new KubeError({ reason: 'NotFound', request: `patch ${kind} ${name}`, detail: 'not found' })
}

/** A pass that nobody interrupts. */
export const stillPass: Pass = {
  id: 'test',
  signal: new AbortController().signal,
  log: silentLogger,
  priority: 'normal',
  failures: 0,
}
