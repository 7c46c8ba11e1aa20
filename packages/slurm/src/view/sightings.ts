/**
 * What the lists of one kind of record have told so far, as a value. Pure: lists, silences and times go in, the next
 * value and the differences come out.
 *
 * Guarantees. A record is taken for absent only after a complete list without it. If many vanish from one list
 * to the next, none of them is absent until they have been missing for a while and from a second list: a slurmctld
 * that lost its state, or an answer that was cut by somebody in between, looks exactly like that. A record that we
 * cannot read is not absent, and if we cannot even read its name, nothing is.
 *
 * @module
 */
import type { Records, Unreadable } from '../model/records.ts'

/** One record whose whereabouts are open, and its last sighting. */
interface Doubt<T> {
  readonly why: 'vanished' | 'unreadable'
  readonly sinceMs: number
  readonly last: T | undefined
  /** The nodes of a job that cannot be read otherwise. */
  readonly nodes?: string | undefined
}

/** Everything known from lists. Never changed, only replaced. */
export interface Sightings<T> {
  /** What the last complete list held, by name. */
  readonly entries: ReadonlyMap<string, T>
  readonly doubts: ReadonlyMap<string, Doubt<T>>
  /** Since when records that were here are missing. */
  readonly gone: ReadonlyMap<string, number>
  /** When the newest good list was asked for: all entries are at least this fresh. */
  readonly listedAtMs: number | undefined
  /** The first list of the present unbroken row of good lists, and how many there were. */
  readonly trustedSinceMs: number | undefined
  readonly listsInRow: number
  /** The last list held records of which we could not even read the name. */
  readonly hasNameless: boolean
  /** Why the last try failed, if it did. */
  readonly silence: Silence | undefined
}

/** No list could be had. */
interface Silence {
  readonly sinceMs: number
  readonly because: string
}

/** A difference between two lists. Never both undefined. */
export interface Difference<T> {
  readonly name: string
  readonly old: T | undefined
  readonly now: T | undefined
}

/** What is special about a kind of record. */
export interface RecordKind<T> {
  readonly nameOf: (record: T) => string
  /** Do they differ in anything that matters? Load and free memory change with every look. */
  readonly isSame: (one: T, other: T) => boolean
  /** Must it not vanish by itself? A job that has ended may. */
  readonly isLasting: (record: T) => boolean
}

/** The numbers; simulations may choose others. */
export interface TrustPace {
  /** The share of records that may vanish at once before we doubt the list; one always may. */
  readonly vanishingShare: number
  /** How long vanished records must be missing before they count as absent. */
  readonly confirmVanishedMs: number
  /** How long after the first list of a row a record that was never seen counts as absent. */
  readonly confirmNeverSeenMs: number
}

/** Slow to believe the worst. */
export const trustPace: TrustPace = { vanishingShare: 0.05, confirmVanishedMs: 30_000, confirmNeverSeenMs: 1000 }

/** Nothing is known yet. */
export function noSightings<T>(): Sightings<T> {
  return {
    entries: new Map(),
    doubts: new Map(),
    gone: new Map(),
    listedAtMs: undefined,
    trustedSinceMs: undefined,
    listsInRow: 0,
    hasNameless: false,
    silence: undefined,
  }
}

/** A complete list, and its circumstances. */
export interface CompleteList<T> {
  readonly records: Pick<Records<T>, 'records' | 'unreadable'>
  /** When it was asked for. */
  readonly atMs: number
  /** Records that somebody deleted on our order: nobody wonders that they are missing. */
  readonly expectedToVanish: ReadonlySet<string>
}

/** The next value, and what changed from the one before. */
export interface AfterList<T> {
  readonly sightings: Sightings<T>
  readonly differences: readonly Difference<T>[]
}

/** Gone names are remembered for a while, to tell since when. */
const REMEMBER_GONE_MS = 10 * 60_000

/** A complete list came. */
export function afterList<T>(
  before: Sightings<T>,
  list: CompleteList<T>,
  kind: RecordKind<T>,
  pace: TrustPace,
): AfterList<T> {
  const entries = new Map(list.records.records.map((record) => [kind.nameOf(record), record]))
  const unreadable = list.records.unreadable.filter(({ name }) => name !== undefined)
  const missing = missingRecords(before, entries, new Set(unreadable.map(({ name = '' }) => name)))
  const doubts = doubtsAfter(before, { list, kind, pace, entries, unreadable, missing })
  const sightings: Sightings<T> = {
    entries,
    doubts,
    gone: goneAfter(before, entries, doubts, missing, list.atMs),
    listedAtMs: list.atMs,
    trustedSinceMs: before.trustedSinceMs ?? list.atMs,
    listsInRow: before.listsInRow + 1,
    hasNameless: hasNameless(list),
    silence: undefined,
  }
  return { sightings, differences: differencesBetween(before, sightings, missing, kind) }
}

/** The list has not changed since the last one: everything we know is as fresh as this answer. */
export function afterUnchanged<T>(before: Sightings<T>, atMs: number): Sightings<T> {
  return {
    ...before,
    listedAtMs: atMs,
    trustedSinceMs: before.trustedSinceMs ?? atMs,
    listsInRow: before.listsInRow + 1,
    silence: undefined,
  }
}

/** No list could be had: the row is broken, and everything is only a memory until the next one. */
export function afterSilence<T>(before: Sightings<T>, atMs: number, because: string): Sightings<T> {
  const sinceMs = before.silence?.sinceMs ?? atMs
  return { ...before, silence: { sinceMs, because }, trustedSinceMs: undefined, listsInRow: 0 }
}

/** Are there records that the newest list held and we could not read? */
export function hasUnreadable({ hasNameless, doubts }: Pick<Sightings<unknown>, 'hasNameless' | 'doubts'>): boolean {
  return hasNameless || [...doubts.values()].some(({ why }) => why === 'unreadable')
}

/** Records that the newest list lacks and that may be there all the same. */
export function vanishedIn<T>({ doubts }: Pick<Sightings<T>, 'doubts'>): readonly Doubt<T>[] {
  return [...doubts.values()].filter(({ why }) => why === 'vanished')
}

/** Records that we knew or doubted and that this list does not hold, with their last sighting. */
function missingRecords<T>(
  before: Sightings<T>,
  entries: ReadonlyMap<string, T>,
  unreadable: ReadonlySet<string>,
): Map<string, T | undefined> {
  const missing = new Map<string, T | undefined>()
  for (const [name, record] of before.entries)
    if (!entries.has(name) && !unreadable.has(name)) missing.set(name, record)
  for (const [name, { last }] of before.doubts) if (!entries.has(name) && !unreadable.has(name)) missing.set(name, last)
  return missing
}

interface DoubtFacts<T> {
  readonly list: CompleteList<T>
  readonly kind: RecordKind<T>
  readonly pace: TrustPace
  readonly entries: ReadonlyMap<string, T>
  readonly unreadable: readonly Unreadable[]
  readonly missing: ReadonlyMap<string, T | undefined>
}

function doubtsAfter<T>(before: Sightings<T>, facts: DoubtFacts<T>): Map<string, Doubt<T>> {
  const { list, unreadable, missing } = facts
  const doubts = new Map<string, Doubt<T>>()
  for (const { name = '', nodes } of unreadable)
    doubts.set(name, { ...doubtAbout(before, name, 'unreadable', list.atMs), nodes })
  const why = whyDoubtMissing(before, facts)
  for (const name of missing.keys()) {
    const isNew = before.entries.has(name)
    const doubt = doubtAbout(before, name, why ?? 'vanished', list.atMs)
    const isOpen = isNew ? why !== undefined : why === 'unreadable' || !isConfirmed(doubt, facts)
    if (isOpen && !list.expectedToVanish.has(name)) doubts.set(name, doubt)
  }
  return doubts
}

/** Why what this list lacks is not absent yet; undefined if the list can be believed. */
function whyDoubtMissing<T>(before: Sightings<T>, facts: DoubtFacts<T>): Doubt<T>['why'] | undefined {
  if (hasNameless(facts.list)) return 'unreadable'
  return vanishedSuddenly(before, facts) ? 'vanished' : undefined
}

function isConfirmed<T>(doubt: Doubt<T>, { list, pace }: DoubtFacts<T>): boolean {
  return list.atMs - doubt.sinceMs >= pace.confirmVanishedMs
}

/** The doubt of before goes on, unless nobody looked in between: then it begins anew. */
function doubtAbout<T>(before: Sightings<T>, name: string, why: Doubt<T>['why'], atMs: number): Doubt<T> {
  const earlier = before.doubts.get(name)
  if (earlier?.why === why && !before.silence) return earlier
  return { why, sinceMs: atMs, last: before.entries.get(name) ?? earlier?.last }
}

function hasNameless<T>({ records }: CompleteList<T>): boolean {
  return records.unreadable.some(({ name }) => name === undefined)
}

/** Many at once, or the last ones, or more while others are still missed: that is rarely what somebody wanted. */
function vanishedSuddenly<T>(before: Sightings<T>, { list, kind, pace, entries, missing }: DoubtFacts<T>): boolean {
  const lasting = (record: T | undefined): boolean => record !== undefined && kind.isLasting(record)
  const vanished = [...missing].filter(
    ([name, record]) => before.entries.has(name) && lasting(record) && !list.expectedToVanish.has(name),
  ).length
  if (vanished === 0) return false
  if ([...missing.keys()].some((name) => before.doubts.get(name)?.why === 'vanished')) return true
  const had = [...before.entries.values()].filter(lasting).length
  const left = [...entries.values()].filter(lasting).length
  return left === 0 || vanished > Math.max(1, Math.floor(had * pace.vanishingShare))
}

function goneAfter<T>(
  before: Sightings<T>,
  entries: ReadonlyMap<string, T>,
  doubts: ReadonlyMap<string, Doubt<T>>,
  missing: ReadonlyMap<string, unknown>,
  atMs: number,
): Map<string, number> {
  const gone = new Map<string, number>()
  for (const [name, sinceMs] of before.gone) {
    const isStillGone = !entries.has(name) && !doubts.has(name)
    if (isStillGone && atMs - sinceMs < REMEMBER_GONE_MS) gone.set(name, sinceMs)
  }
  for (const name of missing.keys()) {
    if (!doubts.has(name)) gone.set(name, before.doubts.get(name)?.sinceMs ?? atMs)
  }
  return gone
}

/** A record in doubt has no news: it is neither here nor gone. */
function differencesBetween<T>(
  before: Sightings<T>,
  after: Sightings<T>,
  missing: ReadonlyMap<string, T | undefined>,
  kind: RecordKind<T>,
): Difference<T>[] {
  const differences: Difference<T>[] = []
  for (const [name, now] of after.entries) {
    const old = before.entries.get(name) ?? before.doubts.get(name)?.last
    if (old === undefined || !kind.isSame(old, now)) differences.push({ name, old, now })
  }
  for (const [name, old] of missing) {
    if (!after.doubts.has(name) && old !== undefined) differences.push({ name, old, now: undefined })
  }
  return differences
}
