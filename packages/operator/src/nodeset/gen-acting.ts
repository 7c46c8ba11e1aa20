/**
 * Test data: a server that notes every request and can refuse any, with the real caches before it, so that steps and whole
 * passes can be carried out without a process beside the test.
 *
 * @module
 */
import type { KubeObject } from '@slurm-operator/kube'
import { openGate, silentLogger, type Happening } from '@slurm-operator/runtime'
import { SlurmRegistry } from '@slurm-operator/slurm'
import { createVirtualClock } from '@slurm-operator/testkit'
import { buildController, buildNodeSet, NAMESPACE } from '../simulation/objects.ts'
import { StillServer, type Refuse } from '../testing/still-server.ts'
import { stillPass } from '../testing/still-world.ts'
import type { Caches } from '../world/caches.ts'
import { createWorld } from '../world/world.ts'
import { act } from './act.ts'
import type { Acting } from './acting.ts'
import { FailureMemory } from './failure-memory.ts'
import { observe, type Observed } from './observe.ts'
import { OrderPace } from './order-pace.ts'
import { createNodeSetPass } from './reconcile.ts'
import type { Step } from './steps.ts'

const cacheOf: Readonly<Record<string, keyof Caches>> = {
  ...{ NodeSet: 'nodeSets', Controller: 'controllers', Pod: 'pods', ControllerRevision: 'revisions' },
  ...{ PersistentVolumeClaim: 'claims', Node: 'nodes' },
}

interface Start {
  readonly objects?: readonly KubeObject[]
  readonly refuse?: Refuse
  readonly spec?: Parameters<typeof buildNodeSet>[1]
}

/** NodeSet `foo` of one worker that nobody has made yet, its Controller, more objects, and what the server refuses. */
export function startActing({ objects = [], refuse, spec = {} }: Start = {}) {
  const server = new StillServer(NAMESPACE, refuse)
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
  const pace = new OrderPace(clock.now)
  const pass = createNodeSetPass(world)
  const look = async (): Promise<Observed> => {
    const observed = await observe(key, world, failures, {})
    if (observed === 'gone') throw new Error('Cannot act: the NodeSet is gone.')
    return observed
  }
  return {
    ...{ world, clock, told, server, put },
    requests: (verb = '') => server.requests.map(({ text }) => text).filter((text) => text.startsWith(verb)),
    pass: () => pass(key, stillPass),
    picture: async () => (await look()).picture,
    workers: async () => (await look()).picture.workers,
    carryOut: async (steps: readonly Step[], differences: Partial<Observed> = {}) => {
      const observed = await look()
      const { log, signal } = stillPass
      const acting: Acting = { world, failures, pace, log, signal, record: (one) => void told.push(one), observed }
      return act({ steps }, { ...acting, observed: { ...observed, ...differences } })
    },
  }
}
