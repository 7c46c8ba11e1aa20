import { stringifyJson } from '../transport/json.ts'
import type { Method } from '../transport/http.ts'
import type { ApiRequest, CallOptions, Channel } from './channel.ts'
import {
  deleteBody,
  listQuery,
  writeQuery,
  type ApplyOptions,
  type DeleteOptions,
  type ListOptions,
  type WriteOptions,
} from './options.ts'
import { APPLY, patchBody, type Patch } from './patch.ts'
import { collectionPath, describePlace, objectPath, type Query } from './paths.ts'
import { keyOf, type KubeObject, type Live, type ObjectKey, type Resource } from './resource.ts'

/** What the server said to a delete: gone at once, or accepted and shown in its last state. */
export type Deletion<T> =
  | { readonly kind: 'deleted'; readonly uid: string | undefined }
  | { readonly kind: 'accepted'; readonly object: T }

/** Everything that can be done to the objects of a resource. */
export interface Writer<T extends KubeObject> {
  readonly create: (object: T, options?: WriteOptions) => Promise<Live<T>>
  /** Replace; a `resourceVersion` in the object makes it fail with `Conflict` if somebody else was faster. */
  readonly update: (object: T, options?: WriteOptions) => Promise<Live<T>>
  readonly patch: (key: ObjectKey, patch: Patch, options?: WriteOptions) => Promise<Live<T>>
  /** Server-side apply: own exactly the fields that the object names. */
  readonly apply: (object: T, options: ApplyOptions) => Promise<Live<T>>
  readonly delete: (key: ObjectKey, options?: DeleteOptions) => Promise<Deletion<Live<T>>>
  /** Delete all that match. */
  readonly deleteMany: (which: ListOptions, options?: DeleteOptions) => Promise<void>
}

/** Write the objects of one resource. */
export function createWriter<T extends KubeObject>(channel: Channel, resource: Resource<T>): Writer<T> {
  const send = senderFor(channel, resource)
  return {
    create: (object, options = {}) =>
      send('POST', { key: keyOf(object), content: object, isNew: true }, options) as Promise<Live<T>>,
    update: (object, options = {}) => send('PUT', { key: keyOf(object), content: object }, options) as Promise<Live<T>>,
    patch: (key, patch, options = {}) => send('PATCH', { key, ...patchBody(patch) }, options) as Promise<Live<T>>,
    apply: (object, options) =>
      send('PATCH', { key: keyOf(object), content: object, contentType: APPLY }, options) as Promise<Live<T>>,
    delete: async (key, options = {}) =>
      deletionOf(
        await send(
          'DELETE',
          { key, content: deleteBody(options) },
          { signal: options.signal, timeoutMs: options.timeoutMs },
        ),
      ),
    deleteMany: (which, options = {}) => deleteMany(channel, resource, which, options),
  }
}

/** One write. */
export interface Write {
  readonly key: ObjectKey
  readonly subresource?: string
  readonly content: unknown
  readonly contentType?: string
  /** The name is not part of the path yet. */
  readonly isNew?: boolean
}

/** Send writes of one resource, with a purpose for people. */
export function senderFor<T extends KubeObject>(
  channel: Channel,
  resource: Resource<T>,
): (method: Method, write: Write, options: WriteOptions & Partial<ApplyOptions>) => Promise<unknown> {
  return async (method, { key, subresource, content, contentType, isNew = false }, options) => {
    const place = { ...key, ...(subresource !== undefined && { subresource }) }
    const path = isNew ? collectionPath(resource, key.namespace) : objectPath(resource, key, subresource)
    return channel.call({
      method,
      path,
      query: { ...writeQuery(options), ...forceQuery(options) },
      body: stringifyJson(content),
      purpose: `${verbOf(method, contentType)} ${describePlace(resource, place)}`,
      ...(contentType !== undefined && { contentType }),
      ...pick(options),
    })
  }
}

async function deleteMany<T extends KubeObject>(
  channel: Channel,
  resource: Resource<T>,
  which: ListOptions,
  options: DeleteOptions,
): Promise<void> {
  const request: ApiRequest = {
    method: 'DELETE',
    path: collectionPath(resource, which.namespace),
    query: listQuery(which),
    body: stringifyJson(deleteBody(options)),
    purpose: `delete all ${describePlace(resource, { namespace: which.namespace })}`,
    ...pick(options),
  }
  await channel.call(request)
}

function deletionOf<T>(answer: unknown): Deletion<T> {
  const { kind, details } = answer as { readonly kind?: string; readonly details?: { readonly uid?: string } }
  return kind === 'Status' ? { kind: 'deleted', uid: details?.uid } : { kind: 'accepted', object: answer as T }
}

function forceQuery({ force }: Partial<ApplyOptions>): Query {
  return { force: force === true ? true : undefined }
}

function pick({ signal, timeoutMs }: CallOptions): CallOptions {
  return { signal, timeoutMs }
}

const verbs = { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const

function verbOf(method: Method, contentType: string | undefined): string {
  return contentType === APPLY ? 'apply' : verbs[method]
}
