import {
  configMapResource,
  createClientOn,
  type Client,
  type ConfigMap,
  type ResourceClient,
} from '@slurm-operator/kube'
import { createApiServer, type SimulatedApiServer } from '../api-server/api-server.ts'
import { configMap } from '../contract/objects.ts'
import type { Plan } from './plan.ts'
import type { SimulatedProcess } from './process.ts'
import { createWorld, type World, type WorldOptions } from './world.ts'

/** A world with a server in it. */
export interface Inhabited {
  readonly world: World
  readonly server: SimulatedApiServer
  /** Begin a process with a client that tries once and waits a minute at most. */
  readonly start: (name: string) => Inhabitant
}

/** A process and its client. */
export interface Inhabitant {
  readonly process: SimulatedProcess
  readonly client: Client
  readonly configMaps: ResourceClient<ConfigMap>
}

/** Make a world with a server. */
export async function inhabit(options: Partial<WorldOptions> & { readonly plan?: Plan } = {}): Promise<Inhabited> {
  const world = createWorld({ seed: 1, ...options })
  const server = await createApiServer({ clock: world.clock, random: world.random.stream('server') })
  const start = (name: string): Inhabitant => {
    const process = world.start(name)
    const transport = world.connect(process, server.transport)
    const client = createClientOn(transport, {
      clock: process.clock,
      random: process.random.next,
      retry: { maxTries: 1 },
      timeoutMs: 60_000,
    })
    return { process, client, configMaps: client.resource(configMapResource) }
  }
  return { world, server, start }
}

/** A ConfigMap in the namespace that always is there. */
export function thing(name: string, value = ''): ConfigMap {
  return configMap('default', name, { data: { value } })
}

/** How a promise stands without any time passing. */
export async function stateOf(world: World, promise: Promise<unknown>): Promise<'open' | 'kept' | 'broken'> {
  let state: 'open' | 'kept' | 'broken' = 'open'
  promise.then(
    () => (state = 'kept'),
    () => (state = 'broken'),
  )
  await world.clock.settle()
  return state
}
