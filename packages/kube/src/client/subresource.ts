import type { CallOptions, Channel } from './channel.ts'
import type { ApplyOptions, WriteOptions } from './options.ts'
import { APPLY, patchBody, type Patch } from './patch.ts'
import { describePlace, objectPath } from './paths.ts'
import type { KubeObject, ObjectKey, Resource } from './resource.ts'
import { senderFor } from './writer.ts'

/** A part of an object with a path of its own: status, scale, eviction, binding, ephemeralcontainers, token … */
export interface Subresource<S, Sent = S> {
  readonly get: (key: ObjectKey, options?: CallOptions) => Promise<S>
  readonly create: (key: ObjectKey, content: Sent, options?: WriteOptions) => Promise<S>
  readonly update: (key: ObjectKey, content: Sent, options?: WriteOptions) => Promise<S>
  readonly patch: (key: ObjectKey, patch: Patch, options?: WriteOptions) => Promise<S>
  readonly apply: (key: ObjectKey, content: Sent, options: ApplyOptions) => Promise<S>
}

/** Read and write one subresource. Which verbs it knows is the server's business. */
export function createSubresource<S, Sent, T extends KubeObject>(
  channel: Channel,
  resource: Resource<T>,
  subresource: string,
): Subresource<S, Sent> {
  const send = senderFor(channel, resource)
  return {
    async get(key, { signal, timeoutMs } = {}) {
      const purpose = `get ${describePlace(resource, { ...key, subresource })}`
      const path = objectPath(resource, key, subresource)
      return (await channel.call({ method: 'GET', path, purpose, signal, timeoutMs })) as S
    },
    create: (key, content, options = {}) => send('POST', { key, subresource, content }, options) as Promise<S>,
    update: (key, content, options = {}) => send('PUT', { key, subresource, content }, options) as Promise<S>,
    patch: (key, patch, options = {}) =>
      send('PATCH', { key, subresource, ...patchBody(patch) }, options) as Promise<S>,
    apply: (key, content, options) =>
      send('PATCH', { key, subresource, content, contentType: APPLY }, options) as Promise<S>,
  }
}
