import { isSlurmFailure, SlurmError } from '../errors.ts'
import type { Mapping } from '../model/mappings.ts'
import { mappings } from '../model/mappings.ts'
import type { Records, Single } from '../model/records.ts'
import type { Caller, RecordReader, Reply, SlurmRequest } from './request.ts'
import { requestName } from './request.ts'

/** The answer to "all of them, please". */
export type Listing<T> =
  | ({ readonly kind: 'listed' } & Records<T>)
  /** Nothing has changed since the time we named; what we have is what there is. */
  | { readonly kind: 'unchanged' }

/** Lists may be long, and slurmctld busy; but what hangs is noticed only then. */
export const LIST_TIMEOUT_MS = 20_000

/** What to leave out of a list. */
export interface ListOptions {
  /** Answer `unchanged` if nothing has changed since: `lastUpdateInSeconds` of an earlier list. */
  readonly changedSince?: number | undefined
}

/** The functions of a mapping that read lists, by the type they give. */
type ListName<T> = {
  [Name in keyof Mapping]: Mapping[Name] extends (answer: unknown) => Records<T> ? Name : never
}[keyof Mapping]

/** Read the records under a key with the mapping of whatever version answers. */
export function reader<T>(key: string, name: ListName<T>): RecordReader<T> {
  return { key, read: (body, version) => (mappings[version][name] as (answer: unknown) => Records<T>)(body) }
}

/** All records of a kind. An answer without the list is no list: nothing may be concluded from it. */
export async function listAll<T>(
  caller: Caller,
  path: string,
  recordReader: RecordReader<T>,
  { changedSince }: ListOptions = {},
): Promise<Listing<T>> {
  const since = changedSince === undefined ? undefined : { query: { update_time: String(changedSince) } }
  const request: SlurmRequest = { method: 'GET', path, timeoutMs: LIST_TIMEOUT_MS, ...since }
  const { unchanged, list } = await caller.call(request, recordReader)
  if (unchanged || (since && saysNothingChanged(list))) return { kind: 'unchanged' }
  if (!list.listed) throw new SlurmError('malformed', requestName(request), `the answer has no ${recordReader.key}`)
  return { kind: 'listed', ...list }
}

/** The way of `/jobs/`: an empty list without a time. */
function saysNothingChanged({ records, unreadable, lastUpdateInSeconds }: Records<unknown>): boolean {
  return records.length === 0 && unreadable.length === 0 && lastUpdateInSeconds === undefined
}

/** One record by its name, or undefined when there is none: slurmrestd has four ways of saying that. */
export async function findOne<T>(
  caller: Caller,
  request: SlurmRequest,
  recordReader: RecordReader<T>,
): Promise<T | undefined> {
  let reply: Reply<T>
  try {
    reply = await caller.call(request, recordReader)
  } catch (error) {
    if (isSlurmFailure(error, 'not-found')) return undefined
    throw error
  }
  const [lost] = reply.list.unreadable
  if (lost) throw new SlurmError('malformed', requestName(request), `we do not understand the record: ${lost.because}`)
  return reply.list.records[0]
}

/** The one thing an answer holds. */
export function single<T>(request: SlurmRequest, reading: Single<T>): T {
  if (reading.kind === 'read') return reading.value
  throw new SlurmError('malformed', requestName(request), reading.because)
}
