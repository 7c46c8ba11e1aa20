import { absent, lastSeen, seen, unknown, type Knowledge } from '../knowledge.ts'
import { vanishedIn, type Sightings, type TrustPace } from './sightings.ts'
import { foldWrites, type Write } from './writes.ts'

/** Everything that decides what we may say about a record. */
export interface RecordFacts<T> {
  readonly sightings: Sightings<T>
  /** Those to this record that are open. */
  readonly writes: readonly Write<T>[]
}

/** When what we saw becomes a memory. */
export interface FreshnessPace extends TrustPace {
  /** Older than this, a sighting proves nothing any more. Above the slowest pace of lists plus their time-out. */
  readonly longestAgeMs: number
}

/** What we may say about one record at this moment. */
export function knowledgeOf<T>(facts: RecordFacts<T>, name: string, nowMs: number, pace: FreshnessPace): Knowledge<T> {
  const { sightings, writes } = facts
  const folded = foldWrites(fromLists(sightings, name, pace), writes)
  if (!isMemory(sightings, nowMs, pace)) return folded
  return sightings.listedAtMs === undefined && !sightings.silence ? unknown('not-listed-yet') : remembered(folded)
}

/** The same for the whole list. Records that we cannot read are left out of it; doubts about many make it unknown. */
export function knowledgeOfAll<T>(
  sightings: Sightings<T>,
  nowMs: number,
  pace: FreshnessPace,
): Knowledge<readonly T[]> {
  const records = [...sightings.entries.values()]
  if (sightings.listedAtMs === undefined) return unknown(sightings.silence ? 'unreachable' : 'not-listed-yet')
  if (isMemory(sightings, nowMs, pace)) return unknown('unreachable', records)
  const vanished = vanishedIn(sightings)
  if (vanished.length === 0) return seen(records, sightings.listedAtMs)
  return unknown('vanished', [...records, ...vanished.flatMap(({ last }) => (last === undefined ? [] : [last]))])
}

/** Is what we saw too old, or was the last look in vain? */
export function isMemory({ listedAtMs, silence }: Sightings<unknown>, nowMs: number, pace: FreshnessPace): boolean {
  return silence !== undefined || listedAtMs === undefined || nowMs - listedAtMs > pace.longestAgeMs
}

function remembered<T>(known: Knowledge<T>): Knowledge<T> {
  if (known.kind === 'unknown' && known.why !== 'not-listed-yet') return known
  return unknown('unreachable', lastSeen(known))
}

function fromLists<T>(sightings: Sightings<T>, name: string, pace: TrustPace): Knowledge<T> {
  const { entries, doubts, gone, listedAtMs } = sightings
  if (listedAtMs === undefined) return unknown('not-listed-yet')
  const entry = entries.get(name)
  if (entry !== undefined) return seen(entry, listedAtMs)
  const doubt = doubts.get(name)
  if (doubt) return unknown(doubt.why, doubt.last)
  if (sightings.hasNameless) return unknown('unreadable')
  const goneSinceMs = gone.get(name)
  if (goneSinceMs !== undefined) return absent(goneSinceMs)
  return neverSeen(sightings, listedAtMs, pace)
}

/** One list may have come from a slurmctld that was still finding its nodes: a second one must agree. */
function neverSeen(
  { trustedSinceMs, listsInRow }: Sightings<unknown>,
  listedAtMs: number,
  pace: TrustPace,
): Knowledge<never> {
  if (trustedSinceMs === undefined || listsInRow < 2) return unknown('not-listed-yet')
  return listedAtMs - trustedSinceMs >= pace.confirmNeverSeenMs ? absent(trustedSinceMs) : unknown('not-listed-yet')
}
