/**
 * The real operator as a process of a simulated world: its caches, its connections, its loops. It can be killed between
 * any two of its calls, to Kubernetes or to Slurm, and a new one begins on the same state.
 *
 * @module
 */
import {
  createClientOn,
  eventsEventResource,
  type HttpRequest,
  type Transport as KubeTransport,
} from '@slurm-operator/kube'
import { Manager, openGate, Recorder, silentLogger, type Loop } from '@slurm-operator/runtime'
import { SlurmRegistry, type Transport as SlurmTransport } from '@slurm-operator/slurm'
import type { SimulatedProcess, World as SimulatedWorld } from '@slurm-operator/testkit'
import { createConnectionPass } from '../connections/reconcile-connection.ts'
import { connectionSources } from '../connections/watch.ts'
import { createNodeSetPass } from '../nodeset/reconcile.ts'
import { nodeSetSources } from '../nodeset/watch.ts'
import { createLoop } from '../programs/create-loop.ts'
import { listCaches } from '../world/caches.ts'
import { createWorld, type World } from '../world/world.ts'

/** Where it runs. */
export interface OperatorSurroundings {
  readonly world: SimulatedWorld
  readonly kubernetes: KubeTransport
  readonly openSlurm: () => SlurmTransport
  /** Told when the program ends by itself, which it must not. */
  readonly onEnd: (because: string) => void
}

/** A running operator, seen from outside. */
export interface SimulatedOperator {
  readonly process: SimulatedProcess
  readonly kill: () => void
  /** The history is over: whatever Node keeps for the sake of its signals is let go. Kill it first. */
  readonly letGo: () => void
}

const NAMESPACE = 'slurm'

/** Start one. */
export function startOperator({ world, kubernetes, openSlurm, onEnd }: OperatorSurroundings): SimulatedOperator {
  const process = world.start('operator')
  const [life, memory] = [new AbortController(), new AbortController()]
  const closing = endingWith(kubernetes, life.signal, ['watch']) // the watches of a dead process are closed by its kernel
  // Nobody aborts the signals of a dead process, and Node keeps whatever listens to one that is made of others.
  const transport = endingWith(world.connect(process, closing), memory.signal, ['call', 'watch'])
  const { clock } = process
  const random = process.random.next
  const log = silentLogger
  const client = createClientOn(transport, { clock, random })
  const store = client.resource(eventsEventResource)
  const recorder = new Recorder({ store, clock, random, log, instance: 'operator', hide: (text) => text })
  const ours = createWorld({
    ...{ client, clock, random, log, gate: openGate, hasServiceMonitors: false, clusterDomain: 'cluster.local' },
    ...{ namespaces: [NAMESPACE], propagatedConditions: [] },
    slurm: new SlurmRegistry({ clock, random, openTransport: () => throughDoor(openSlurm(), process) }),
    eventsAs: (reporter) => recorder.as(reporter),
  })
  const manager = new Manager({ clock, log, caches: listCaches(ours.caches), loops: [recorder, ...loopsOf(ours)] })
  manager.run(memory.signal).then(
    ({ because }) => onEnd(because),
    (error: unknown) => onEnd(String(error)),
  )
  return {
    process,
    kill: () => {
      process.kill()
      life.abort()
    },
    letGo: () => memory.abort(),
  }
}

function loopsOf(world: World): Loop[] {
  const connection = { reconcile: createConnectionPass(world), sources: connectionSources(world) }
  const nodeSets = { reconcile: createNodeSetPass(world), sources: nodeSetSources(world) }
  return [createLoop(world, 'slurmclient', connection), createLoop(world, 'nodeset', nodeSets)]
}

/** Requests end with this signal as well as with their own. */
function endingWith(transport: KubeTransport, signal: AbortSignal, uses: readonly HttpRequest['use'][]): KubeTransport {
  return {
    ...transport,
    send: (request) => {
      if (!uses.includes(request.use)) return transport.send(request)
      const either = request.signal === undefined ? signal : AbortSignal.any([signal, request.signal])
      return transport.send({ ...request, signal: either })
    },
  }
}

/** A dead process hears nothing any more, though what it sent arrives. */
function throughDoor(transport: SlurmTransport, process: SimulatedProcess): SlurmTransport {
  return {
    close: () => transport.close(),
    send: (request, signal) =>
      new Promise((resolve, reject) => {
        if (process.state() === 'dead') return
        transport.send(request, signal).then(
          (answer) => (process.state() === 'dead' ? undefined : resolve(answer)),
          (error: unknown) => (process.state() === 'dead' ? undefined : reject(error as Error)),
        )
      }),
  }
}
