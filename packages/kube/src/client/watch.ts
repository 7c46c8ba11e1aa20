import { KubeError } from '../errors/kube-error.ts'
import { errorFromStatus } from '../errors/read-status.ts'
import { emptyList } from '../transport/empty-list.ts'
import { readLines } from '../transport/read-lines.ts'
import { parseBody, type ApiRequest, type Channel } from './channel.ts'
import type { KubeObject } from './resource.ts'

/** What a watch tells. */
export type Change<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  /** Nothing changed up to here. `isInitialEnd`: all objects that existed have been told. */
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly isInitialEnd: boolean }
  /** The server cannot go on, most often because it no longer knows our resourceVersion. Nothing follows. */
  | { readonly type: 'ERROR'; readonly error: KubeError }

/** The annotation on the bookmark that ends the initial objects. */
const INITIAL_END = 'k8s.io/initial-events-end'
const MANAGED_FIELDS = ['object', 'metadata', 'managedFields']

/** How the changes of a watch are read. */
interface ChangeReading<T> {
  /** The longest silence that is believed. */
  readonly idleMs: number
  readonly revive: (item: unknown) => T
  readonly skipManagedFields?: boolean | undefined
}

/**
 * Watch. Ends in peace when the server's time is over; throws `KubeError` when the connection breaks or falls silent:
 * `Unreachable`, `Malformed`, `Aborted`, or what the server answered instead of a stream.
 */
export async function* readChanges<T>(
  channel: Channel,
  request: ApiRequest,
  { idleMs, revive, skipManagedFields = false }: ChangeReading<T>,
): AsyncGenerator<Change<T>, void> {
  const { body } = await channel.stream(request, idleMs)
  for await (const line of readLines(body, channel.clock)) {
    const text = skipManagedFields ? emptyList(line, MANAGED_FIELDS) : line
    const change = parseChange(parseBody(text, request), revive, request.purpose)
    yield change
    if (change.type === 'ERROR') return
  }
}

function parseChange<T>(event: unknown, revive: (item: unknown) => T, purpose: string): Change<T> {
  const { type, object } = event as { readonly type?: unknown; readonly object?: unknown }
  if (typeof object !== 'object' || object === null) throw malformed(purpose)
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object: revive(object) }
    case 'BOOKMARK':
      return bookmarkOf(object as KubeObject)
    case 'ERROR':
      return { type, error: errorFromStatus(object as Readonly<Record<string, unknown>>, { request: purpose }) }
    default:
      throw malformed(purpose)
  }
}

function bookmarkOf({ metadata }: KubeObject): Change<never> {
  const { resourceVersion = '', annotations = {} } = metadata
  return { type: 'BOOKMARK', resourceVersion, isInitialEnd: annotations[INITIAL_END] === 'true' }
}

function malformed(purpose: string): KubeError {
  return new KubeError({
    reason: 'Malformed',
    request: purpose,
    detail: 'the stream holds something that is no change',
  })
}
