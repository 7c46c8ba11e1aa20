/**
 * Everything in one process: an API server, machines, a Slurm, and the operator between them, on one clock and one seed.
 *
 * @module
 */
import { buildCrd, controllerResource, kinds, nodeSetResource, restApiResource } from '@slurm-operator/api'
import { createClientOn, secretResource, type Client } from '@slurm-operator/kube'
import {
  createApiServer,
  createMachines,
  createSimulatedSlurm,
  createWorld,
  type RandomSource,
  type Side,
  type SimulatedApiServer,
  type SimulatedMachines,
  type SimulatedSlurm,
  type World,
} from '@slurm-operator/testkit'
import type { Transport as SlurmTransport } from '@slurm-operator/slurm'
import { buildController, buildKey, buildNodeSet, buildRestApi, NAMESPACE, type Annotations } from './objects.ts'
import { tapKubernetes, tapSlurm, type Listener } from './operator-tap.ts'
import { startOperator, type SimulatedOperator } from './start-operator.ts'

/** See the module. */
export interface SimulatedCluster {
  readonly world: World
  readonly random: RandomSource
  readonly server: SimulatedApiServer
  readonly slurm: SimulatedSlurm
  readonly machines: SimulatedMachines
  /** What users and administrators do with kubectl; nothing of it fails. */
  readonly users: Client
  /** Whoever writes through this is taken for the operator: to see that broken promises are noticed. */
  readonly asOperator: Client
  /** What happened, in words. */
  readonly tell: (text: string) => void
  readonly story: readonly string[]
  /** Begin to hear what the operator writes. */
  readonly listen: (listener: Listener) => void
  readonly operator: () => SimulatedOperator
  /** End this one; another begins after so long. */
  readonly killOperator: (backAfterMs: number) => void
  /** The same, before or after its so many next call to Slurm. */
  readonly killAtSlurmCall: (call: number, side: Side, backAfterMs: number) => void
  /** Nothing happens any more; what is known can still be looked at. */
  readonly end: () => void
  /** Why an operator ended by itself; must stay empty. */
  readonly endings: readonly string[]
}

/** What is there in the beginning. */
export interface ClusterWish {
  /** The pool of each Kube node. */
  readonly nodes: readonly string[]
  readonly nodeSets: Readonly<Record<string, object>>
  /** Of all NodeSets. */
  readonly annotations?: Annotations | undefined
}

const GARBAGE_EVERY_MS = 1_000

/** Begin one: nodes, each in its pool, and objects are there, the operator runs. */
export async function createSimulatedCluster(
  seed: number | string,
  { nodes, nodeSets, annotations }: ClusterWish,
): Promise<SimulatedCluster> {
  const world = createWorld({ seed })
  const { clock, random } = world
  const server = await createApiServer({
    ...{ clock, random: random.stream('server'), namespaces: [NAMESPACE] },
    definitions: Object.values(kinds).map(buildCrd),
  })
  const slurm = createSimulatedSlurm({ clock, seed: `${seed}/slurm` })
  const machines = createMachines({ server, slurm, clock, random: random.stream('machines') })
  const users = createClientOn(server.transport, { clock, random: random.stream('users').next })
  const story: string[] = []
  const endings: string[] = []
  const listeners: Listener[] = []
  const tell = (text: string): void => void story.push(`${(clock.monotonic() / 1000).toFixed(1)} s: ${text}`)
  const ambush: Ambush = { left: 0, side: 'before', strike: () => {} }
  const kubernetes = tapKubernetes(server.transport, clock.monotonic, listeners)
  const begin = (): SimulatedOperator =>
    startOperator({
      ...{ world, kubernetes },
      openSlurm: () => ambushed(tapSlurm(slurm.openTransport(), clock.monotonic, listeners), ambush),
      onEnd: (because) => void endings.push(because),
    })
  await fill({ users, machines, slurm }, { nodes, nodeSets, annotations })
  collectGarbageOnAndOn(server, world)
  let operator = begin()
  const operators = [operator]
  const killOperator = (backAfterMs: number): void => {
    operator.kill()
    clock.schedule(backAfterMs, () => {
      if (operator.process.state() !== 'dead') return
      operators.push((operator = begin()))
      tell('a new operator begins')
    })
  }
  return {
    ...{ world, random, server, slurm, machines, users, tell, story, endings },
    asOperator: createClientOn(kubernetes, { clock }),
    listen: (listener) => void listeners.push(listener),
    operator: () => operator,
    end: () => {
      for (const { kill, letGo } of operators) {
        kill()
        letGo()
      }
      slurm.endRestd() // and the requests that hang there
    },
    killOperator,
    killAtSlurmCall: (call, side, backAfterMs) => {
      ambush.left = call
      ambush.side = side
      ambush.strike = () => killOperator(backAfterMs)
    },
  }
}

async function fill(
  { users, machines, slurm }: Pick<SimulatedCluster, 'users' | 'machines' | 'slurm'>,
  { nodes, nodeSets, annotations }: ClusterWish,
): Promise<void> {
  for (const [number, pool] of nodes.entries()) await machines.addNode(`node-${number}`, { pool })
  await users.resource(secretResource).create(buildKey(slurm.signingKey))
  await users.resource(controllerResource).create(buildController())
  await users.resource(restApiResource).create(buildRestApi())
  for (const [name, spec] of Object.entries(nodeSets))
    await users.resource(nodeSetResource).create(buildNodeSet(name, spec, annotations))
}

/** Somebody waits at the door to Slurm. */
interface Ambush {
  left: number
  side: Side
  strike: () => void
}

function ambushed(inner: SlurmTransport, ambush: Ambush): SlurmTransport {
  return {
    close: () => inner.close(),
    send: async (request, signal) => {
      const isIt = ambush.left > 0 && --ambush.left === 0
      if (isIt && ambush.side === 'before') return strikeWith(ambush)
      const answer = await inner.send(request, signal)
      return isIt ? strikeWith(ambush) : answer
    },
  }
}

function strikeWith({ strike }: Ambush): Promise<never> {
  strike()
  return new Promise(() => {})
}

/** Soon after anything has changed. */
function collectGarbageOnAndOn(server: SimulatedApiServer, { clock }: World): void {
  let isDue = false
  server.listen(() => {
    if (isDue) return
    isDue = true
    clock.schedule(GARBAGE_EVERY_MS, () => {
      isDue = false
      server.collectGarbage()
    })
  })
}
