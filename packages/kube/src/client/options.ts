import type { DeleteOptions as DeleteBody } from '../types/generated/meta-v1.ts'
import type { CallOptions } from './channel.ts'
import type { Query } from './paths.ts'

/** How a read may be answered. */
export interface GetOptions extends CallOptions {
  /** '0' allows the server's cache, however old; the default is the newest state. */
  readonly resourceVersion?: string
}

/** Which objects, and how new. */
export interface ListOptions extends CallOptions {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined
  /** Do not even parse `metadata.managedFields`, half of most objects: they are told with an empty list. */
  readonly skipManagedFields?: boolean | undefined
}

/** One page of a list. */
export interface PageOptions extends ListOptions {
  readonly limit?: number | undefined
  readonly continueToken?: string | undefined
}

/** Which changes. */
export interface WatchOptions extends ListOptions {
  /** Begin with all objects that exist, then a bookmark that says so, then changes: a list that needs no second request. */
  readonly initial?: boolean
  /** The server ends the stream after this time, in peace. */
  readonly timeoutSeconds?: number
  /** The longest silence that is believed; servers send a bookmark every minute. Default 150 s. */
  readonly idleMs?: number
}

/** How a write is done. */
export interface WriteOptions extends CallOptions {
  /** Check everything, store nothing. */
  readonly dryRun?: boolean
  readonly fieldManager?: string
  /** What to do about unknown and doubled fields; servers warn by default. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict'
}

/** How a server-side apply is done. */
export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string
  /** Take over fields that others own. */
  readonly force?: boolean
}

/** How an object is deleted. */
export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean
  readonly gracePeriodSeconds?: number
  /** What happens to the objects that it owns. */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
  /** Delete this very object, in this very state: not another one that got the same name. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

/** The query of a list. */
export function listQuery(options: PageOptions): Query {
  const { labelSelector, fieldSelector, limit, continueToken } = options
  // A token knows its resourceVersion; the server refuses both together.
  const isFirst = continueToken === undefined
  return {
    labelSelector: labelSelector === '' ? undefined : labelSelector,
    fieldSelector: fieldSelector === '' ? undefined : fieldSelector,
    limit,
    continue: continueToken,
    ...(isFirst && { resourceVersion: options.resourceVersion, resourceVersionMatch: options.resourceVersionMatch }),
  }
}

/** The query of a watch. */
export function watchQuery({ initial, timeoutSeconds, ...options }: WatchOptions): Query {
  return {
    ...listQuery(options),
    watch: true,
    allowWatchBookmarks: true,
    timeoutSeconds,
    ...(initial === true && { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }),
  }
}

/** The query of a write. */
export function writeQuery({ dryRun, fieldManager, fieldValidation }: WriteOptions): Query {
  return { dryRun: dryRun === true ? 'All' : undefined, fieldManager, fieldValidation }
}

/** The body of a delete. */
export function deleteBody({ dryRun, gracePeriodSeconds, propagation, preconditions }: DeleteOptions): DeleteBody {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(dryRun === true && { dryRun: ['All'] }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(propagation !== undefined && { propagationPolicy: propagation }),
    ...(preconditions !== undefined && { preconditions }),
  }
}
