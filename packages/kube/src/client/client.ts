import type { ConnectionSettings } from '../config/settings.ts'
import type { HttpAnswer, Transport } from '../transport/http.ts'
import { createNodeTransport, type NodeTransportOptions } from '../transport/node-transport.ts'
import type { Scale } from '../types/generated/autoscaling-v1.ts'
import type { Binding } from '../types/generated/core-v1.ts'
import type { Status } from '../types/generated/meta-v1.ts'
import type { Eviction } from '../types/generated/policy-v1.ts'
import { createChannel, readText, type ApiRequest, type ClientOptions } from './channel.ts'
import { createReader, type Reader } from './reader.ts'
import type { KubeObject, Live, Resource } from './resource.ts'
import { metadataShape, wholeShape, type PartialObjectMetadata } from './shapes.ts'
import { createSubresource, type Subresource } from './subresource.ts'
import { createWriter, type Writer } from './writer.ts'

/** The objects of one resource. */
export interface ResourceClient<T extends KubeObject> extends Reader<Live<T>>, Writer<T> {
  readonly status: Subresource<Live<T>, T>
  readonly scale: Subresource<Scale>
  /** Of pods. `TooManyRequests` means that a disruption budget does not allow it now. */
  readonly eviction: Subresource<Status, Eviction>
  /** Of pods: put them on a node. */
  readonly binding: Subresource<Status, Binding>
  readonly subresource: <S, Sent = S>(name: string) => Subresource<S, Sent>
}

/** An answer to a raw request. */
export interface RawAnswer {
  readonly status: number
  readonly headers: HttpAnswer['headers']
  readonly text: string
}

/** A client of one API server. */
export interface Client {
  readonly resource: <T extends KubeObject>(resource: Resource<T>) => ResourceClient<T>
  /** Metadata of objects of any kind, with a fraction of the bytes. */
  readonly metadata: <T extends KubeObject>(resource: Resource<T>) => Reader<Live<PartialObjectMetadata>>
  /** Any path. Throws `KubeError` as all others do. */
  readonly raw: (request: RawRequest) => Promise<RawAnswer>
  /** Close idle connections. Watches end with their signals. */
  readonly close: () => void
}

/** Any request; `purpose` defaults to method and path. */
export type RawRequest = Omit<ApiRequest, 'purpose'> & { readonly purpose?: string }

/** Connect to an API server. Nothing is sent before the first request. */
export function createClient(settings: ConnectionSettings, options: ClientOptions & NodeTransportOptions = {}): Client {
  return createClientOn(createNodeTransport(settings, options), options)
}

/** A client on any transport; on one in the same process it needs no network. */
export function createClientOn(transport: Transport, options: ClientOptions = {}): Client {
  const channel = createChannel(transport, options)
  return {
    resource: (resource) => createResourceClient(channel, resource),
    metadata: (resource) => createReader(channel, resource, metadataShape),
    raw: (request) => {
      const purpose = request.purpose ?? `${request.method} ${request.path}`
      return channel.exchange({ ...request, purpose }, async ({ status, headers, body }) => ({
        status,
        headers,
        text: await readText(body),
      }))
    },
    close: transport.close,
  }
}

function createResourceClient<T extends KubeObject>(
  channel: ReturnType<typeof createChannel>,
  resource: Resource<T>,
): ResourceClient<T> {
  const subresource = <S, Sent = S>(name: string): Subresource<S, Sent> => createSubresource(channel, resource, name)
  return {
    ...createReader(channel, resource, wholeShape(resource)),
    ...createWriter(channel, resource),
    subresource,
    status: subresource('status'),
    scale: subresource('scale'),
    eviction: subresource('eviction'),
    binding: subresource('binding'),
  }
}
