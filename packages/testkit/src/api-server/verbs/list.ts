import type { ServerCore } from '../core.ts'
import { keyTextOf, type ApiObject } from '../objects/api-object.ts'
import { badRequest, expired } from '../objects/failure.ts'
import { documentReply, type Call, type Reply } from '../requests/call.ts'
import { isSelective, selectionOf } from '../requests/select.ts'
import { shapeFor } from '../requests/shape.ts'
import { storageOf } from '../resources/resource-type.ts'
import { checkListOptions, checkNotInFuture, readVersion } from './read-versions.ts'

const TOO_OLD = 'The resourceVersion for the provided list is too old.'
const TOKEN_TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

/** GET of a collection, in one piece or in pages of one snapshot. */
export function list(core: ServerCore, call: Call): Reply {
  const { query, type } = call
  checkListOptions(query, false)
  const shape = shapeFor(call.accept, type)
  const isChosen = selectionOf(call)
  const { version, after } = startOf(core, call)
  const chosen = core.store
    .listAt(storageOf(type), version)
    .filter((object) => isChosen(object) && isAfter(object, after))
  const limit = Number(query.get('limit') ?? 0)
  const items = limit > 0 ? chosen.slice(0, limit) : chosen
  const left = chosen.length - items.length
  const last = items.at(-1)
  const metadata = {
    resourceVersion: String(version),
    ...(left > 0 && last !== undefined && { continue: printToken({ version, after: keyTextOf(last.metadata) }) }),
    ...(left > 0 && !isSelective(call) && { remainingItemCount: left }),
  }
  return documentReply({ ...shape.listHead, metadata, items: items.map(shape.item) })
}

interface Start {
  readonly version: number
  readonly after: string
}

function startOf(core: ServerCore, { query, view }: Call): Start {
  const token = query.get('continue') ?? ''
  if (token !== '') return continueFrom(readToken(token), core)
  const version = readVersion(query.get('resourceVersion'))
  checkNotInFuture(version, core)
  const isExact =
    version !== undefined && version > 0 && (query.get('resourceVersionMatch') === 'Exact' || isOldPaging(query))
  if (isExact && version < core.store.oldestVersion) throw expired(TOO_OLD)
  if (isExact) return { version, after: '' }
  // Without a version the newest state is meant; any other one allows what this server happens to know.
  const isCachedEnough = version !== undefined && version <= view.version
  return { version: isCachedEnough ? view.version : core.store.version, after: '' }
}

/** Before `resourceVersionMatch` there was one, a page of a version meant exactly that version. */
function isOldPaging(query: URLSearchParams): boolean {
  return (query.get('resourceVersionMatch') ?? '') === '' && Number(query.get('limit') ?? 0) > 0
}

/** A token without a version goes on in the newest state, with whatever has changed since. */
function continueFrom({ version, after }: Start, { store }: ServerCore): Start {
  if (version < 0) return { version: store.version, after }
  if (version < store.oldestVersion) throw expired(TOKEN_TOO_OLD, printToken({ version: -1, after }))
  return { version, after }
}

function isAfter({ metadata }: ApiObject, after: string): boolean {
  return after === '' || keyTextOf(metadata) > after
}

function printToken({ version, after }: Start): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: after })).toString('base64url')
}

function readToken(token: string): Start {
  try {
    const { rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { rv: number; start: string }
    return { version: rv, after: start }
  } catch (error) {
    throw badRequest(
      `invalid continue token: continue key is not valid: ${error instanceof Error ? error.message : 'unreadable'}`,
    )
  }
}
