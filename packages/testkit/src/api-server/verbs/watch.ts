import type { JsonObject } from '@slurm-operator/kube'
import type { ServerCore } from '../core.ts'
import { withMeta, type ApiObject } from '../objects/api-object.ts'
import { ApiFailure, expired } from '../objects/failure.ts'
import type { Call, OutgoingStream, Reply } from '../requests/call.ts'
import { isTrue } from '../requests/read-options.ts'
import { selectionOf } from '../requests/select.ts'
import { shapeFor, type Shape } from '../requests/shape.ts'
import { storageOf } from '../resources/resource-type.ts'
import type { StoredChange } from '../store/store.ts'
import { checkListOptions, checkNotInFuture, wantsInitialEvents } from './read-versions.ts'
import { keepWatchTime } from './watch-time.ts'

const INITIAL_END = 'k8s.io/initial-events-end'

/** GET with `watch`: changes as they happen, until the time is over. */
export function watch(core: ServerCore, call: Call): Reply {
  checkListOptions(call.query, true)
  const shape = shapeFor(call.accept, call.type)
  const version = readWatchVersion(call.query.get('resourceVersion'))
  const watching = { core, call, shape, isChosen: selectionOf(call), version }
  if (wantsInitialEvents(call.query)) checkNotInFuture(version, core)
  return { kind: 'stream', start: (stream) => startWatch(watching, stream) }
}

interface Watching {
  readonly core: ServerCore
  readonly call: Call
  readonly shape: Shape
  readonly isChosen: (object: ApiObject) => boolean
  readonly version: number | undefined
}

function startWatch(watching: Watching, stream: OutgoingStream): () => void {
  const { core, call, version = 0 } = watching
  const oldest = core.store.oldestVersion
  if (version > 0 && version < oldest && !wantsInitialEvents(call.query)) {
    stream.write({ type: 'ERROR', object: expired(`too old resource version: ${version} (${oldest})`).status })
    stream.end()
    return () => {}
  }
  const isHeldBack = call.view.isFrozen && wantsInitialEvents(call.query) && watching.version === undefined
  if (isHeldBack) return startWhenThawed(watching, stream)
  return begin(watching, stream)
}

/** A server that must answer with the newest state and does not know it waits until it does. */
function startWhenThawed(watching: Watching, stream: OutgoingStream): () => void {
  let stop = () => {}
  const { view } = watching.call
  const stopListening = view.whenThawed(() => {
    stopListening()
    stop = begin(watching, stream)
  })
  return () => {
    stopListening()
    stop()
  }
}

function begin(watching: Watching, stream: OutgoingStream): () => void {
  const { core, call, shape } = watching
  const storage = storageOf(call.type)
  const reached = tellBeginning(watching, stream)
  const stopListening = call.view.listen((change) => {
    if (change.storage === storage && change.version > reached) tellChange(change, watching, stream)
  })
  const bookmark = () => {
    const resourceVersion = String(Math.max(call.view.version, reached))
    stream.write({ type: 'BOOKMARK', object: shape.bookmark({ resourceVersion }) })
  }
  const hasBookmarks = isTrue(call.query.get('allowWatchBookmarks'))
  const stopTime = keepWatchTime(core, call.query, { end: stream.end, bookmark: hasBookmarks ? bookmark : undefined })
  return () => {
    stopListening()
    stopTime()
  }
}

/** Everything that is already known; returns the version up to which that is. */
function tellBeginning(watching: Watching, stream: OutgoingStream): number {
  const { core, call, shape, isChosen, version } = watching
  const { query, view, type } = call
  const storage = storageOf(type)
  const isInitial = wantsInitialEvents(query) || (!query.has('sendInitialEvents') && (version ?? 0) === 0)
  if (!isInitial) {
    const from = version ?? view.version
    const past = core.store.changesAfter(storage, from).filter((change) => change.version <= view.version)
    for (const change of past) tellChange(change, watching, stream)
    return Math.max(from, view.version)
  }
  const now = Math.max(view.version, version ?? 0)
  for (const object of core.store.listAt(storage, now).filter(isChosen))
    stream.write({ type: 'ADDED', object: shape.one(object) })
  if (wantsInitialEvents(query) && isTrue(query.get('allowWatchBookmarks'))) {
    const metadata: JsonObject = { resourceVersion: String(now), annotations: { [INITIAL_END]: 'true' } }
    stream.write({ type: 'BOOKMARK', object: shape.bookmark(metadata) })
  }
  return now
}

/** An object that enters or leaves the selection is added or deleted for this watch. */
function tellChange(
  { type, object, before, version }: StoredChange,
  { shape, isChosen }: Watching,
  stream: OutgoingStream,
): void {
  const wasThere = before !== undefined && isChosen(before)
  const isThere = type !== 'DELETED' && isChosen(object)
  if (isThere) stream.write({ type: wasThere ? 'MODIFIED' : 'ADDED', object: shape.one(object) })
  else if (wasThere)
    stream.write({ type: 'DELETED', object: shape.one(withMeta(before, { resourceVersion: String(version) })) })
}

function readWatchVersion(text: string | null): number | undefined {
  if (text === null || text === '') return undefined
  if (/^\d+$/.test(text)) return Number(text)
  throw new ApiFailure(
    500,
    undefined,
    `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`,
  )
}
