/**
 * Test data: a server that notes every request and can refuse any, with the real caches before it, so that steps and whole
 * passes can be carried out without a process beside the test.
 *
 * @module
 */
import {
  applyMergePatch,
  KubeError,
  type Client,
  type FailureReason,
  type JsonObject,
  type KubeObject,
  type ObjectKey,
  type Patch,
  type Resource,
} from '@slurm-operator/kube'
import { openGate, silentLogger, type Happening } from '@slurm-operator/runtime'
import { SlurmRegistry } from '@slurm-operator/slurm'
import { createVirtualClock } from '@slurm-operator/testkit'
import { buildController, buildNodeSet, NAMESPACE } from '../simulation/objects.ts'
import { stillPass, stored } from '../testing/still-world.ts'
import type { Caches } from '../world/caches.ts'
import { createWorld } from '../world/world.ts'
import { act } from './act.ts'
import type { Acting } from './acting.ts'
import { FailureMemory } from './failure-memory.ts'
import { observe, type Observed } from './observe.ts'
import { createNodeSetPass } from './reconcile.ts'
import type { Step } from './steps.ts'

/** A request such as `patch Pod foo-0`, and what came with it. */
interface Request {
  readonly text: string
  readonly body: unknown
}

/** What the server says to a request, if not yes. */
type Refuse = (text: string, count: number) => FailureReason | KubeError | undefined

/** A refusal. */
export function refusal(reason: FailureReason, causes: KubeError['causes'] = []): KubeError {
  return new KubeError({ reason, request: 'do it', detail: 'no', causes })
}

const cacheOf: Readonly<Record<string, keyof Caches>> = {
  ...{ NodeSet: 'nodeSets', Controller: 'controllers', Pod: 'pods', ControllerRevision: 'revisions' },
  ...{ PersistentVolumeClaim: 'claims', Node: 'nodes' },
}

class FakeServer {
  readonly requests: Request[] = []
  readonly #objects = new Map<string, KubeObject>()
  readonly #refuse: Refuse
  #version = 1

  constructor(refuse: Refuse) {
    this.#refuse = refuse
  }

  put(object: KubeObject) {
    const resourceVersion = String(++this.#version)
    const whole = stored({ ...object, metadata: { ...object.metadata, resourceVersion } }, NAMESPACE)
    this.#objects.set(`${whole.kind}/${whole.metadata.name}`, whole)
    return whole
  }

  client(): Client {
    const resource = ({ kind }: Resource<KubeObject>) => ({
      ...this.#verbs(kind),
      status: { patch: (key: ObjectKey, patch: Patch) => this.#patch(`status ${kind}`, kind, key, patch) },
    })
    return { resource, metadata: resource, close: () => {} } as unknown as Client
  }

  #verbs(kind: string) {
    const find = async ({ name }: ObjectKey) => this.#objects.get(`${kind}/${name}`)
    const write = (verb: string) => async (object: KubeObject) => {
      this.#note(`${verb} ${kind} ${object.metadata.name ?? ''}`, object)
      return this.put(object)
    }
    return {
      ...{ find, get: find, create: write('create'), apply: write('apply') },
      patch: (key: ObjectKey, patch: Patch) => this.#patch(`patch ${kind}`, kind, key, patch),
      delete: async ({ name }: ObjectKey, options: unknown) => {
        this.#note(`delete ${kind} ${name}`, options)
        return { kind: 'deleted', uid: undefined }
      },
    }
  }

  async #patch(verb: string, kind: string, { name }: ObjectKey, patch: Patch) {
    const body = 'body' in patch ? patch.body : []
    this.#note(`${verb} ${name}`, body)
    const before = this.#objects.get(`${kind}/${name}`)
    if (before === undefined) throw refusal('NotFound')
    const merged =
      patch.type === 'merge' ? applyMergePatch(before as unknown as JsonObject, body as JsonObject) : before
    return this.put(merged as unknown as KubeObject)
  }

  #note(text: string, body: unknown): void {
    this.requests.push({ text, body })
    const answer = this.#refuse(text, this.requests.filter((request) => request.text.startsWith(verbOf(text))).length)
    if (answer !== undefined) throw answer instanceof KubeError ? answer : refusal(answer)
  }
}

const verbOf = (text: string): string => text.split(' ').slice(0, 2).join(' ')

interface Start {
  readonly objects?: readonly KubeObject[]
  readonly refuse?: Refuse
  readonly spec?: Parameters<typeof buildNodeSet>[1]
}

/** NodeSet `foo` of one worker that nobody has made yet, its Controller, more objects, and what the server refuses. */
export function startActing({ objects = [], refuse = () => undefined, spec = {} }: Start = {}) {
  const server = new FakeServer(refuse)
  const clock = createVirtualClock()
  const told: Happening[] = []
  const world = createWorld({
    ...{ client: server.client(), clock, random: () => 0.5, log: silentLogger, gate: openGate },
    ...{ hasServiceMonitors: false, clusterDomain: 'cluster.local', propagatedConditions: [] },
    slurm: new SlurmRegistry({ random: () => 0.5 }),
    eventsAs: () => (happening) => void told.push(happening),
  })
  const put = (object: KubeObject) => {
    const cache = cacheOf[object.kind]
    if (cache !== undefined) world.caches[cache].wrote(server.put(object) as never)
  }
  for (const object of [buildController(), buildNodeSet('foo', { replicas: 1, ...spec }), ...objects]) put(object)
  const key = { namespace: NAMESPACE, name: 'foo' }
  const failures = new FailureMemory(clock.now)
  const pass = createNodeSetPass(world)
  return {
    ...{ world, clock, told, server, put },
    requests: (verb = '') => server.requests.map(({ text }) => text).filter((text) => text.startsWith(verb)),
    pass: () => pass(key, stillPass),
    carryOut: async (steps: readonly Step[], differences: Partial<Observed> = {}) => {
      const observed = await observe(key, world, failures, {})
      if (observed === 'gone') throw new Error('Cannot act: the NodeSet is gone.')
      const { log, signal } = stillPass
      const acting: Acting = { world, failures, log, signal, record: (one) => void told.push(one), observed }
      return act({ steps }, { ...acting, observed: { ...observed, ...differences } })
    },
  }
}
