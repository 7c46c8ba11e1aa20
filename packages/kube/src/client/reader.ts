import { isExpired, isFailure, isNotFound } from '../errors/kube-error.ts'
import type { Channel } from './channel.ts'
import {
  listQuery,
  watchQuery,
  type GetOptions,
  type ListOptions,
  type PageOptions,
  type WatchOptions,
} from './options.ts'
import { collectionPath, describePlace, objectPath } from './paths.ts'
import { readList, type List } from './read-list.ts'
import type { KubeObject, ObjectKey, Resource } from './resource.ts'
import { readChanges, type Change } from './watch.ts'

/** One page. `restart`: the snapshot was lost on the way, and this page holds everything again; forget the earlier ones. */
export interface ListPage<T> extends List<T> {
  readonly restart: boolean
}

/** Everything that can be asked about the objects of a resource. */
export interface Reader<T> {
  /** Throws `NotFound`. */
  readonly get: (key: ObjectKey, options?: GetOptions) => Promise<T>
  /** The same, but absence is an answer. */
  readonly find: (key: ObjectKey, options?: GetOptions) => Promise<T | undefined>
  /** One request: everything, or one page if a limit is given. */
  readonly list: (options?: PageOptions) => Promise<List<T>>
  /** Everything, page by page. */
  readonly pages: (options?: PageOptions) => AsyncIterable<ListPage<T>>
  /**
   * Visit everything with little memory: as a stream, or page by page where the server has none. Returns the
   * resourceVersion to watch from.
   */
  readonly visit: (options: ListOptions, visitor: Visitor<T>) => Promise<{ readonly resourceVersion: string }>
  readonly watch: (options?: WatchOptions) => AsyncIterable<Change<T>>
}

/** Who is shown all objects. An object that changes meanwhile is shown again: the last word on it counts. */
export interface Visitor<T> {
  readonly item: (object: T) => void
  /** An object that was shown is deleted meanwhile. */
  readonly gone: (object: T) => void
  /** The visits so far do not count. */
  readonly restart: () => void
}

/** How objects are asked for and read: whole, or their metadata only. */
export interface Shape<T> {
  readonly acceptObject: string
  readonly acceptList: string
  readonly revive: (item: unknown) => T
}

const PAGE = 500
const IDLE_MS = 150_000
const VISIT_TIMEOUT_SECONDS = 300

/** Read the objects of one resource in one shape. */
export function createReader<T, R extends KubeObject>(
  channel: Channel,
  resource: Resource<R>,
  shape: Shape<T>,
): Reader<T> {
  const list = (options: PageOptions = {}) => readOnce(channel, resource, shape, options)
  const watch = (options: WatchOptions = {}) => openWatch(channel, resource, shape, options)
  const get = async (key: ObjectKey, { signal, timeoutMs, ...query }: GetOptions = {}) => {
    const purpose = `get ${describePlace(resource, key)}`
    const path = objectPath(resource, key)
    const request = {
      method: 'GET',
      path,
      query: { ...query },
      accept: shape.acceptObject,
      purpose,
      signal,
      timeoutMs,
    } as const
    return shape.revive(await channel.call(request))
  }
  return {
    get,
    list,
    watch,
    find: (key, options) => orAbsent(get(key, options)),
    pages: (options = {}) => readPages(list, options),
    visit: (options, visitor) => visitAll({ list, watch }, options, visitor),
  }
}

async function orAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

async function readOnce<T, R extends KubeObject>(
  channel: Channel,
  resource: Resource<R>,
  { acceptList, revive }: Shape<T>,
  options: PageOptions,
): Promise<List<T>> {
  const { namespace, signal, timeoutMs, skipManagedFields } = options
  const purpose = `list ${describePlace(resource, { namespace })}`
  const path = collectionPath(resource, namespace)
  const request = {
    method: 'GET',
    path,
    query: listQuery(options),
    accept: acceptList,
    purpose,
    signal,
    timeoutMs,
  } as const
  const reading = { revive, purpose, clock: channel.clock, skipManagedFields }
  return channel.exchange(request, (answer) => readList(answer, reading))
}

function openWatch<T, R extends KubeObject>(
  channel: Channel,
  resource: Resource<R>,
  { acceptObject, revive }: Shape<T>,
  options: WatchOptions,
): AsyncGenerator<Change<T>, void> {
  const { namespace, signal, timeoutMs, skipManagedFields, idleMs = IDLE_MS } = options
  const purpose = `watch ${describePlace(resource, { namespace })}`
  const path = collectionPath(resource, namespace)
  const request = {
    method: 'GET',
    path,
    query: watchQuery(options),
    accept: acceptObject,
    purpose,
    signal,
    timeoutMs,
  } as const
  return readChanges(channel, request, { idleMs, revive, skipManagedFields })
}

/** A snapshot can expire between two pages: then everything is read once more, in one piece that cannot expire. */
async function* readPages<T>(list: Reader<T>['list'], options: PageOptions): AsyncGenerator<ListPage<T>, void> {
  const limit = options.limit ?? PAGE
  let page = await list({ ...options, limit })
  for (;;) {
    yield { ...page, restart: false }
    const { continueToken } = page
    if (continueToken === undefined) return
    try {
      page = await list({ ...options, limit, continueToken })
    } catch (error) {
      if (!isExpired(error)) throw error
      yield { ...(await list({ ...options, limit: undefined, continueToken: undefined })), restart: true }
      return
    }
  }
}

async function visitAll<T>(
  { list, watch }: Pick<Reader<T>, 'list' | 'watch'>,
  options: ListOptions,
  visitor: Visitor<T>,
): Promise<{ readonly resourceVersion: string }> {
  try {
    const resourceVersion = await visitStream(watch, options, visitor)
    if (resourceVersion !== undefined) return { resourceVersion }
    visitor.restart() // the stream ended too early
  } catch (error) {
    if (!isFailure(error, 'Invalid', 'BadRequest', 'Forbidden')) throw error // no streaming list, or no right to watch
  }
  let resourceVersion = ''
  for await (const page of readPages(list, options)) {
    if (page.restart) visitor.restart()
    page.items.forEach((item) => visitor.item(item))
    resourceVersion = page.resourceVersion
  }
  return { resourceVersion }
}

async function visitStream<T>(
  watch: Reader<T>['watch'],
  options: ListOptions,
  visitor: Visitor<T>,
): Promise<string | undefined> {
  for await (const change of watch({ ...options, initial: true, timeoutSeconds: VISIT_TIMEOUT_SECONDS })) {
    if (change.type === 'ERROR') throw change.error
    if (change.type === 'DELETED') visitor.gone(change.object)
    else if (change.type !== 'BOOKMARK') visitor.item(change.object)
    else if (change.isInitialEnd) return change.resourceVersion
  }
  return undefined
}
