/**
 * A Kubernetes API server in the same process: deterministic, with a past that can be replayed and forgotten. What it
 * cannot do is in `limits.ts`; that it does the rest as a real one does is what the contract suites show.
 *
 * @module
 */
import {
  apiVersionOf,
  systemClock,
  type Clock,
  type CustomResourceDefinition,
  type KubeObject,
  type Live,
  type ObjectKey,
  type Resource,
  type Transport,
} from '@slurm-operator/kube'
import { createRandomSource, type RandomSource } from '../random/random-source.ts'
import { Admission, type AdmissionHandler } from './admission/admission.ts'
import type { ServerCore } from './core.ts'
import { collectGarbage } from './garbage/collect-garbage.ts'
import { keyTextOf } from './objects/api-object.ts'
import { followDefinitions } from './resources/follow-definitions.ts'
import { Registry } from './resources/registry.ts'
import { storageOf } from './resources/resource-type.ts'
import { Store, type StoredChange } from './store/store.ts'
import { ServerView } from './store/view.ts'
import { createInProcessTransport } from './transport/in-process.ts'
import { lenientReviews, type ReviewRules } from './verbs/review.ts'
import { answerRequest } from './answer-request.ts'
import { generateUid } from './writing/new-names.ts'

/** What a server begins with. */
export interface ApiServerOptions {
  readonly clock?: Clock
  readonly random?: RandomSource
  /** Changes older than this are forgotten, as etcd does by default after five minutes. */
  readonly forgetAfterMs?: number
  /** How often a watch hears that nothing happened; a real server does so every minute. */
  readonly bookmarkEveryMs?: number
  /** Besides those that every cluster has. */
  readonly namespaces?: readonly string[]
  readonly definitions?: readonly CustomResourceDefinition[]
  readonly reviews?: Partial<ReviewRules>
}

/** The server. */
export interface SimulatedApiServer {
  /** The way to it. */
  readonly transport: Transport
  /** Another server on the same data, which can fall behind. */
  readonly addReplica: () => ServerReplica
  /** Forget all changes: watches and lists that go on from before get 410. */
  readonly compact: () => void
  /** Do the work of the garbage collector and the namespace controller; returns how many changes that made. */
  readonly collectGarbage: () => number
  /** Ask this handler on every write that concerns it; the answer takes it away. */
  readonly admit: (kind: 'mutating' | 'validating', handler: AdmissionHandler) => () => void
  /** Look at an object without asking the server. */
  readonly find: <T extends KubeObject>(resource: Resource<T>, key: ObjectKey) => Live<T> | undefined
  /** All objects of a resource, without asking the server. */
  readonly all: <T extends KubeObject>(resource: Resource<T>) => readonly Live<T>[]
  /** The newest resourceVersion. */
  readonly version: () => number
  /** Be told every change at the moment it is stored; the answer ends it. For checking promises after every step. */
  readonly listen: (listener: (change: StoredChange) => void) => () => void
}

/** One of several servers on the same data. */
export interface ServerReplica {
  readonly transport: Transport
  /** From now on it learns nothing: its watches are silent, its caches old. */
  readonly freeze: () => void
  readonly thaw: () => void
}

const FIVE_MINUTES_MS = 300_000
const MINUTE_MS = 60_000

/** Begin a server, empty but for the namespaces that every cluster has. */
export async function createApiServer(options: ApiServerOptions = {}): Promise<SimulatedApiServer> {
  const core = createCore(options)
  followDefinitions(core)
  const view = new ServerView(core.store)
  for (const name of ['default', 'kube-system', 'kube-public', ...(options.namespaces ?? [])]) {
    await mustCreate(core, view, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }
  for (const definition of options.definitions ?? []) {
    await mustCreate(core, view, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  }
  return {
    transport: createInProcessTransport(core, view),
    addReplica: () => createReplica(core),
    compact: () => core.store.compact(),
    collectGarbage: () => collectGarbage(core),
    admit: (kind, handler) => core.admission.add(kind, handler),
    find: (resource, key) => core.store.get(storageOf(resource), keyTextOf(key)) as never,
    all: (resource) =>
      core.store
        .list(storageOf(resource))
        .map((object) => ({ ...object, apiVersion: apiVersionOf(resource) })) as never,
    version: () => core.store.version,
    listen: (listener) => core.store.listen(listener),
  }
}

function createCore(options: ApiServerOptions): ServerCore {
  const { clock = systemClock, random = createRandomSource('api-server'), forgetAfterMs = FIVE_MINUTES_MS } = options
  const uids = random.stream('admission')
  return {
    clock,
    random: random.stream('server'),
    store: new Store({ now: clock.monotonic, forgetAfterMs }),
    registry: new Registry(),
    admission: new Admission(() => generateUid(uids)),
    reviews: { ...lenientReviews, ...options.reviews },
    bookmarkEveryMs: options.bookmarkEveryMs ?? MINUTE_MS,
  }
}

function createReplica(core: ServerCore): ServerReplica {
  const view = new ServerView(core.store)
  return { transport: createInProcessTransport(core, view), freeze: () => view.freeze(), thaw: () => view.thaw() }
}

async function mustCreate(core: ServerCore, view: ServerView, path: string, object: object): Promise<void> {
  const request = {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
  } as const
  const { reply } = await answerRequest(core, request, view)
  if (reply.kind === 'document' && reply.status === 201) return
  const why = reply.kind === 'document' ? (reply.body as { message?: string }).message : 'no answer'
  throw new Error(`Cannot begin the server with ${path}: ${why ?? 'it was refused'}`)
}
