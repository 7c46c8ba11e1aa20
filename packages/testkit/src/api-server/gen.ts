import {
  configMapResource,
  createClientOn,
  type Client,
  type ConfigMap,
  type ResourceClient,
} from '@slurm-operator/kube'
import { createVirtualClock, type VirtualClock } from '../clock/virtual-clock.ts'
import { widgetDefinition, widgetResource, type Widget } from '../contract/widget.ts'
import { createApiServer, type ApiServerOptions, type SimulatedApiServer } from './api-server.ts'

/** A server with widgets, a clock and a client that tries once. */
export interface Laboratory {
  readonly clock: VirtualClock
  readonly server: SimulatedApiServer
  readonly client: Client
  readonly configMaps: ResourceClient<ConfigMap>
  readonly widgets: ResourceClient<Widget>
}

/** Make one. */
export async function makeLaboratory(options: ApiServerOptions = {}): Promise<Laboratory> {
  const clock = createVirtualClock()
  const server = await createApiServer({ clock, definitions: [widgetDefinition], ...options })
  const client = clientOf({ clock, server })
  return {
    clock,
    server,
    client,
    configMaps: client.resource(configMapResource),
    widgets: client.resource(widgetResource),
  }
}

/** A client that tries once. */
export function clientOf(
  { clock, server }: Pick<Laboratory, 'clock' | 'server'>,
  transport = server.transport,
): Client {
  return createClientOn(transport, { clock, retry: { maxTries: 1 } })
}
