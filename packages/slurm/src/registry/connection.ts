import { steadyClock, systemClock, systemRandom, type Clock, type Random } from '../client/clock.ts'
import { Endpoint } from '../client/endpoint.ts'
import { httpTransport, type HttpTransportOptions } from '../client/http-transport.ts'
import { slurmClient, type SlurmClient } from '../client/slurm-client.ts'
import type { Transport } from '../client/transport.ts'
import { givenTokenSource } from '../tokens/given-token-source.ts'
import { signingKeySource } from '../tokens/signing-key-source.ts'
import { SwappableTokenSource } from '../tokens/swappable-source.ts'
import type { TokenSource } from '../tokens/token-source.ts'
import { foldClient } from '../view/fold-client.ts'
import { Listeners } from '../view/listeners.ts'
import { createView, type SlurmView, type ViewChange, type WholePace } from '../view/slurm-view.ts'
import { EndpointGroup } from './endpoint-group.ts'
import { healthInWallTime, type ConnectionHealth } from './health.ts'
import type { ConnectionSettings, TokenSettings } from './settings.ts'

/** What the world gives to connections; simulations give another world. */
export interface ConnectionWorld {
  readonly clock?: Clock
  readonly random?: Random
  /** HTTP unless said. */
  readonly openTransport?: (options: HttpTransportOptions) => Transport
  readonly pace?: Partial<WholePace>
  /** Told of errors thrown by listeners. */
  readonly onListenerError?: (error: unknown) => void
}

/** Something about a connection is different: in Slurm, or in how it stands with the connection itself. */
export type ConnectionChange = ViewChange | { readonly kind: 'health'; readonly health: ConnectionHealth }

/** The connection to one Slurm cluster, shared by everybody. */
export interface SlurmConnection {
  /** What Slurm is known to be. */
  readonly view: SlurmView
  /** To ask and to order directly; orders are folded into the view. */
  readonly client: SlurmClient
  health(): ConnectionHealth
  subscribe(listener: (change: ConnectionChange) => void): () => void
  /** Use other tokens from now on, and try again at once if the last one was refused. */
  useTokens(settings: TokenSettings): void
  /** Something happened that may end a silence: ask again at once, however long it has lasted. */
  retryNow(): void
  close(): Promise<void>
}

/** Connect. Nothing is awaited: until the first list has come, everything is unknown. */
export function connect(settings: ConnectionSettings, world: ConnectionWorld = {}): SlurmConnection {
  const { clock: worldClock = systemClock, random = systemRandom, openTransport = httpTransport } = world
  const clock = steadyClock(worldClock)
  const listeners = new Listeners<[ConnectionChange]>(world.onListenerError)
  const tell = (change: ConnectionChange): void => listeners.tell(change)
  const tokens = new SwappableTokenSource(createTokenSource(settings.token, worldClock, random))
  const endpoints = settings.endpoints.map((url) => {
    const transport = openTransport({ url, ...settings.tls })
    return new Endpoint({ url, transport, tokens, clock })
  })
  const forUsers = (health: ConnectionHealth): ConnectionHealth => healthInWallTime(health, clock.wallAheadMs())
  const onHealth = (health: ConnectionHealth): void => tell({ kind: 'health', health: forUsers(health) })
  const group = new EndpointGroup({ endpoints, clock, random, onHealth })
  const client = slurmClient(group)
  const { view, lists } = createView({ ...world, client, clock: worldClock, random })
  view.subscribe(tell)
  const retryNow = (): void => {
    group.reset()
    view.retryNow()
  }
  tokens.onChange(retryNow)
  return {
    view,
    client: foldClient(client, lists),
    health: () => forUsers(group.health()),
    subscribe: (listener) => listeners.add(listener),
    useTokens: (next) => tokens.swap(createTokenSource(next, worldClock, random)),
    retryNow,
    close: async () => {
      listeners.clear()
      view.close()
      tokens.close()
      await group.close()
    },
  }
}

function createTokenSource(settings: TokenSettings, clock: Clock, random: Random): TokenSource {
  switch (settings.kind) {
    case 'signing-key':
      return signingKeySource({ ...settings, readKey: () => settings.key, clock, random })
    case 'given':
      return givenTokenSource({ read: () => settings.token, clock })
    case 'source':
      return settings.source
  }
}
