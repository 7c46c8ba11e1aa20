import { createMergePatch, equalJson, type JsonObject, type JsonValue } from '@slurm-operator/kube'
import { fingerprintOf, type KnownNoOps } from '../apply/no-op-memory.ts'
import { buildStatus, statusOf, type Statused, type WantedStatus } from './build-status.ts'

/** What to do about a status now. */
export type StatusPlan =
  | { readonly do: 'nothing' }
  | { readonly do: 'send'; readonly patch: StatusPatch; readonly fingerprint: string }
  /** It was written a moment ago: come back, and say it all at once. */
  | { readonly do: 'later'; readonly inMs: number }

/** A merge patch. */
interface StatusPatch {
  readonly metadata?: { readonly resourceVersion: string }
  readonly status: JsonObject
}

/** What the plan is made from. */
export interface StatusPicture {
  readonly live: Statused & { readonly metadata: { readonly uid: string; readonly resourceVersion: string } }
  readonly wanted: WantedStatus
  /** Wall clock: it becomes the time of conditions. */
  readonly nowMs: number
  /** How long ago the status of this object was last sent; undefined: not that we know. */
  readonly sentAgoMs: number | undefined
  readonly knownNoOps: KnownNoOps
  /** Write only on top of this very state. Always so if lists are written, because they are replaced as a whole. */
  readonly isExact?: boolean
}

/** One write per object in this time, however much happens. */
export const STATUS_PAUSE_MS = 1_000

/** Decide whether the status is written, now or later. */
export function planStatus(picture: StatusPicture): StatusPlan {
  const { live, wanted, nowMs, sentAgoMs = Infinity, knownNoOps } = picture
  const before = statusOf(live)
  const after = buildStatus(live, wanted, nowMs)
  if (equalJson(before, withoutUndefined(after))) return { do: 'nothing' }
  const patch = buildPatch(before, after, picture)
  const fingerprint = fingerprintOf(withoutTimes(patch.status))
  if (knownNoOps.has(live.metadata.uid, fingerprint)) return { do: 'nothing' }
  if (sentAgoMs < STATUS_PAUSE_MS) return { do: 'later', inMs: STATUS_PAUSE_MS - Math.max(0, sentAgoMs) }
  return { do: 'send', patch, fingerprint }
}

function buildPatch(before: JsonObject, after: JsonObject, { live, isExact = false }: StatusPicture): StatusPatch {
  const status = createMergePatch(before, withoutUndefined(after)) as JsonObject
  const { resourceVersion } = live.metadata
  return isExact || holdsList(status) ? { metadata: { resourceVersion }, status } : { status }
}

/** A field that the server does not store is as new each time; only the time of its condition moves. */
function withoutTimes({ conditions, ...rest }: JsonObject): JsonObject {
  if (!Array.isArray(conditions)) return { ...rest, ...(conditions !== undefined && { conditions }) }
  return {
    ...rest,
    conditions: (conditions as readonly JsonObject[]).map(({ lastTransitionTime: _time, ...line }) => line),
  }
}

function holdsList(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return true
  return typeof value === 'object' && value !== null && Object.values(value as JsonObject).some(holdsList)
}

function withoutUndefined(status: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== undefined && value !== null))
}
