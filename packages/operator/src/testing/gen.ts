/**
 * The operator in the process of a test, on a real API server: all loops, or some of them.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs'
import {
  createClientOn,
  createNodeTransport,
  customResourceDefinitionResource,
  eventsEventResource,
  loadSettings,
  namespaceResource,
  systemClock,
  type Client,
  type CustomResourceDefinition,
  type Transport,
} from '@slurm-operator/kube'
import { Manager, openGate, Recorder, silentLogger, type Loop } from '@slurm-operator/runtime'
import { SlurmRegistry } from '@slurm-operator/slurm'
import { until } from '@slurm-operator/local'
import { parse } from 'yaml'
import { createWorld, type World } from '../world/world.ts'
import { listCaches } from '../world/caches.ts'

const CRDS = new URL('../../../api/crds/', import.meta.url)

/** A client for the test itself. */
export async function testClient(kubeconfig: string, over: Road = (inner) => inner): Promise<Client> {
  return createClientOn(over(createNodeTransport(await loadSettings({ kubeconfig }))))
}

/** A transport in front of another one, on which things may happen. */
type Road = (inner: Transport) => Transport

/** Make our kinds known to the server. */
export async function installKinds(client: Client): Promise<void> {
  const definitions = client.resource(customResourceDefinitionResource)
  for (const file of readdirSync(CRDS)) {
    const definition = parse(readFileSync(new URL(file, CRDS), 'utf8')) as CustomResourceDefinition
    await definitions.apply(definition, { fieldManager: 'test', force: true })
    const { name = '' } = definition.metadata
    await eventually(`the kind ${name}`, async () => {
      const { status } = await definitions.get({ name })
      return status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') || undefined
    })
  }
}

/** Wait until there is an answer: the operator needs a moment, a loaded machine some more. */
export function eventually<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  timeoutMs = 30_000,
): Promise<T> {
  return until(what, async () => ask(), { timeoutMs })
}

/** The garbage collector learns of new kinds every 30 s only. */
export const COLLECTED_WITHIN_MS = 90_000

/** A namespace of its own for each test. */
export async function createNamespace(client: Client, name: string): Promise<string> {
  await client.resource(namespaceResource).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  return name
}

/** A running operator. */
export interface RunningOperator extends AsyncDisposable {
  readonly world: World
  readonly stop: () => Promise<void>
}

/** What a test may want to be different. */
export interface OperatorParts {
  readonly slurm?: SlurmRegistry
  /** The way to the API server. */
  readonly over?: Road
}

/** Run these loops. Nothing is elected. */
export async function runOperator(
  kubeconfig: string,
  createLoops: (world: World) => readonly Loop[],
  { slurm, over }: OperatorParts = {},
): Promise<RunningOperator> {
  const client = await testClient(kubeconfig, over)
  const [clock, random, log] = [systemClock, Math.random, silentLogger]
  const store = client.resource(eventsEventResource)
  const recorder = new Recorder({ store, clock, random, log, instance: 'test', hide: (text) => text })
  const world = createWorld({
    ...{ client, clock, random, log, gate: openGate, hasServiceMonitors: false, clusterDomain: 'cluster.local' },
    propagatedConditions: [],
    slurm: slurm ?? new SlurmRegistry({ random }),
    eventsAs: (reporter) => recorder.as(reporter),
  })
  const ask = new AbortController()
  const loops = [recorder, ...createLoops(world)]
  const manager = new Manager({ clock, log, caches: listCaches(world.caches), loops, graceMs: 5_000 })
  const ended = manager.run(ask.signal)
  const end = async () => {
    ask.abort()
    await ended
    await world.slurm.close()
    client.close()
  }
  let ending: Promise<void> | undefined
  const stop = () => (ending ??= end()) // a test may stop it before its bed does
  return { world, stop, [Symbol.asyncDispose]: stop }
}
