/**
 * One kind of record of one Slurm cluster, kept up to date by one poller whoever asks. This is the thin layer of timers
 * and promises around `sightings.ts`, `writes.ts` and `poll-plan.ts`, which decide.
 *
 * @module
 */
import type { Random, SteadyClock } from '../client/clock.ts'
import type { Listing, ListOptions } from '../client/listing.ts'
import { isSlurmFailure } from '../errors.ts'
import type { Knowledge } from '../knowledge.ts'
import type { Records } from '../model/records.ts'
import { afterLook, type Look } from './after-look.ts'
import { knowledgeOf, knowledgeOfAll, type FreshnessPace } from './knowledge-of.ts'
import { ListWaiters } from './list-waiters.ts'
import { OpenWrites } from './open-writes.ts'
import { nextPollAtMs, smoothedMs, type PollPace } from './poll-plan.ts'
import {
  afterList,
  afterSilence,
  afterUnchanged,
  hasUnreadable,
  noSightings,
  vanishedIn,
  type Difference,
  type RecordKind,
  type Sightings,
} from './sightings.ts'
import type { SlurmTime } from './slurm-time.ts'
import { trustIn, type Trust } from './trust.ts'
import { inWallTime } from './wall-time.ts'
import { namesDeleted, type Write, type WriteEffect } from './writes.ts'

/** Whoever waits for a new list waits for so many, where they take long. */
const REFRESH_DURATIONS = 3

/** What a watched list needs. */
export interface WatchedListOptions<T> {
  readonly kind: RecordKind<T>
  readonly isInMotion: (record: T) => boolean
  readonly list: (options: ListOptions) => Promise<Listing<T>>
  readonly slurmTime: SlurmTime
  readonly clock: SteadyClock
  readonly random: Random
  readonly pace: ViewPace
  readonly onChange: (news: ListNews<T>) => void
}

/** All numbers of a view. */
export interface ViewPace extends PollPace, FreshnessPace {
  /** How long "nothing changed" is believed before the whole list is read again. */
  readonly fullListEveryMs: number
  /** When a list that has been asked for counts as silence; later where lists are slow. */
  readonly overdueMs: number
}

/** What came out of one look. */
export interface ListNews<T> {
  readonly differences: readonly Difference<T>[]
  /** Set when we began or ceased to know. */
  readonly trust?: Trust
}

/** How a write ended for each of its names; names in neither list were not touched. */
export interface WriteEnd {
  readonly accepted: readonly string[]
  readonly uncertain: readonly string[]
}

/** See the module. */
export class WatchedList<T> {
  private readonly options: WatchedListOptions<T>
  private sightings: Sightings<T> = noSightings<T>()
  private readonly writes = new OpenWrites<T>()
  private lastUpdateInSeconds: number | undefined
  private fullListAtMs = 0
  /** How often Slurm's clock had been set back at the last whole list. */
  private setBacks = 0
  private beganAtMs: number | undefined
  /** How far the machine's time of day was ahead then, and when the newest good list was asked for. */
  private beganAheadMs = 0
  private listedAheadMs = 0
  private endedAtMs = 0
  private durationMs = 0
  /** The same of lists that were really sent, not answered by "nothing changed". */
  private fullDurationMs = 0
  /** The counter when the newest good list was asked for. */
  private listedAt = 0
  private failures = 0
  private lastChangeAtMs: number
  private wantedUntilMs = 0
  private inMotion = false
  /** Orders lists and writes; the clock is too coarse for that. */
  private counter = 0
  private readonly waiters = new ListWaiters()
  private stopTimer: (() => void) | undefined
  private phase: 'new' | 'waiting' | 'asking' | 'closed' = 'new'

  constructor(options: WatchedListOptions<T>) {
    this.options = options
    this.lastChangeAtMs = options.clock.now()
  }

  /** Begin to poll; again does nothing. */
  start(): void {
    if (this.phase !== 'new') return
    this.phase = 'waiting'
    this.schedule()
  }

  /** Stop for good. Whoever waits is let go. */
  close(): void {
    this.phase = 'closed'
    this.stopTimer?.()
    this.waiters.close()
  }

  /** What we know of one record now. */
  one(name: string): Knowledge<T> {
    const { clock, pace } = this.options
    return this.forUsers(knowledgeOf(this.factsOf(name), name, clock.now(), pace))
  }

  /** What we know of all now. */
  all(): Knowledge<readonly T[]> {
    const { clock, pace } = this.options
    return this.forUsers(knowledgeOfAll(this.sightings, clock.now(), pace))
  }

  /** What the lists have told so far, for indexes: its entries are another map whenever anything may have changed. */
  get told(): Sightings<T> {
    return this.sightings
  }

  /** How long ago the newest whole list was asked for: later ones may only have said that nothing has changed. */
  get wholeAgeMs(): number {
    return this.options.clock.now() - this.fullListAtMs
  }

  /** Lists take too long to have one every second. */
  get isSlow(): boolean {
    const { fastMs, timesDurationWaited } = this.options.pace
    return this.fullDurationMs * timesDurationWaited > fastMs
  }

  /** Whether no list has confirmed what we, or a look, know of this record. */
  isOpen(name: string): boolean {
    return this.writes.of(name).length > 0
  }

  /** Begin to look at one record. Lists and writes that come in between make the look worthless. */
  beginLook(): number {
    return ++this.counter
  }

  /** A look at one record has ended. True if it is news; it then holds until a list that is asked for from now on. */
  noteLook(look: Look<T>): boolean {
    const { clock, onChange } = this.options
    const facts = { id: ++this.counter, nowMs: clock.now(), listedAt: this.listedAt }
    const known = this.factsOf(look.name)
    const after = this.isClosed() ? undefined : afterLook(known, look, facts)
    if (!after) return false
    for (const { id } of known.writes) this.writes.take(id)
    if (after.glimpse) this.writes.put(after.glimpse)
    this.lastChangeAtMs = facts.nowMs
    onChange({ differences: [after.difference] })
    this.schedule()
    return true
  }

  /** Somebody waits for a change: look often for so long. */
  hurry(forMs: number): void {
    this.wantedUntilMs = Math.max(this.wantedUntilMs, this.options.clock.now() + forMs)
    this.schedule()
  }

  /**
   * Wait until a list that was asked for from now on has come, or could not be had, or the time is over: then false.
   * The time is long enough for the list that is under way and the one after it.
   */
  async refresh(timeoutMs: number): Promise<boolean> {
    if (this.phase === 'closed') return false
    const withinMs = Math.max(timeoutMs, REFRESH_DURATIONS * this.fullDurationMs)
    return new Promise<boolean>((resolve) => {
      const stop = this.options.clock.schedule(withinMs, () => resolve(false))
      this.waiters.add(this.counter, (isNew) => (stop(), resolve(isNew)))
      this.schedule()
    })
  }

  /** Forget that it failed before, and look at once. */
  retryNow(): void {
    this.failures = 0
    this.beganAtMs = undefined
    this.schedule()
  }

  /** Carry out a write, and let nobody believe what it may have made wrong. */
  async write<R>(
    names: readonly string[],
    effect: WriteEffect<T>,
    work: () => Promise<R>,
    endOf: (result: R) => WriteEnd,
  ): Promise<R> {
    const id = ++this.counter
    this.writes.put({
      id,
      names: new Set(names),
      effect,
      phase: 'under-way',
      settledAt: undefined,
      settledAtMs: undefined,
    })
    try {
      const result = await work()
      this.settle(id, endOf(result))
      return result
    } catch (error) {
      const hadNoEffect = isSlurmFailure(error, 'refused', 'not-found', 'unauthorized') || hasNeverLeft(error)
      this.settle(id, { accepted: [], uncertain: hadNoEffect ? [] : names })
      throw error
    }
  }

  private forUsers<R>(known: Knowledge<R>): Knowledge<R> {
    return inWallTime(known, { nowMs: this.options.clock.wallAheadMs(), atListMs: this.listedAheadMs })
  }

  private factsOf(name: string) {
    return { sightings: this.sightings, writes: this.writes.of(name) }
  }

  private settle(id: number, { accepted, uncertain }: WriteEnd): void {
    const begun = this.writes.take(id)
    if (!begun || this.phase === 'closed') return
    const settled = { ...begun, settledAt: ++this.counter, settledAtMs: this.options.clock.now() }
    if (accepted.length > 0) this.writes.put({ ...settled, names: new Set(accepted), phase: 'accepted' })
    const rest = { ...settled, id: ++this.counter, names: new Set(uncertain), phase: 'uncertain' as const }
    if (uncertain.length > 0) this.writes.put(rest)
    this.schedule()
  }

  private schedule(): void {
    if (this.phase !== 'waiting') return
    this.stopTimer?.()
    const { clock, pace, random } = this.options
    const nowMs = clock.now()
    const isWaitedFor = this.waiters.areThere || nowMs < this.wantedUntilMs || this.hasOpenQuestions()
    const facts = {
      nowMs,
      beganAtMs: this.beganAtMs,
      endedAtMs: this.endedAtMs,
      durationMs: this.durationMs,
      failures: this.failures,
      isWaitedFor,
      isInMotion: this.inMotion,
      lastChangeAtMs: this.lastChangeAtMs,
    }
    this.stopTimer = clock.schedule(Math.max(0, nextPollAtMs(facts, pace, random) - nowMs), () => void this.poll())
  }

  /** A write that no list has confirmed, a record that vanished, or a list that a second one must confirm. */
  private hasOpenQuestions(): boolean {
    return this.writes.hasSettled || this.sightings.listsInRow < 2 || vanishedIn(this.sightings).length > 0
  }

  /** One look. Never rejects. */
  private async poll(): Promise<void> {
    if (this.phase !== 'waiting') return
    this.phase = 'asking'
    const { clock } = this.options
    const beganAt = ++this.counter
    const atMs = clock.now()
    this.beganAtMs = atMs
    this.beganAheadMs = clock.wallAheadMs()
    const stopWaiting = clock.schedule(this.overdueAfterMs(), () => this.noteOverdue())
    const outcome = await this.ask(atMs)
    stopWaiting()
    if (this.isClosed()) return // meanwhile
    this.endedAtMs = clock.now()
    this.noteDuration(outcome, this.endedAtMs - atMs)
    this.phase = 'waiting'
    try {
      this.options.onChange(this.takeIn(outcome, beganAt, atMs))
    } finally {
      this.waiters.release(beganAt)
      this.schedule()
    }
  }

  private noteDuration(outcome: Listing<T> | Error, tookMs: number): void {
    if (outcome instanceof Error) return
    this.durationMs = smoothedMs(this.durationMs, tookMs)
    if (outcome.kind === 'listed') this.fullDurationMs = smoothedMs(this.fullDurationMs, tookMs)
  }

  /** Long before the deadline of the call: what we saw before is not to be relied on while Slurm hangs. */
  private overdueAfterMs(): number {
    const { overdueMs, timesDuration } = this.options.pace
    return Math.max(overdueMs, this.durationMs * timesDuration)
  }

  private noteOverdue(): void {
    if (this.isClosed()) return
    const before = this.trust()
    const because = `no answer for ${this.overdueAfterMs() / 1000} s`
    this.sightings = afterSilence(this.sightings, this.options.clock.now(), because)
    if (before.isTrusted) this.options.onChange({ differences: [], trust: this.trust() })
  }

  private isClosed(): boolean {
    return this.phase === 'closed'
  }

  private async ask(atMs: number): Promise<Listing<T> | Error> {
    try {
      const listing = await this.options.list({ changedSince: this.changedSince(atMs) })
      return listing.kind === 'unchanged' && (await this.wasSetBack()) ? await this.options.list({}) : listing
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  /** Was Slurm's clock set back since the last whole list? Then "nothing changed" is no answer. */
  private async wasSetBack(): Promise<boolean> {
    return (await this.options.slurmTime.checkSetBacks()) !== this.setBacks
  }

  /**
   * "Only if changed" is for quiet times: a question that is open needs the whole list. So does whoever waits for a list, where
   * that takes no time: what was sent before may have been wrong.
   */
  private changedSince(atMs: number): number | undefined {
    const isDue = atMs - this.fullListAtMs >= this.options.pace.fullListEveryMs
    const isOpen = this.failures > 0 || hasUnreadable(this.sightings) || this.hasOpenQuestions()
    const isWaitedFor = this.waiters.areThere && !this.isSlow
    return isDue || isOpen || isWaitedFor ? undefined : this.lastUpdateInSeconds
  }

  private takeIn(outcome: Listing<T> | Error, beganAt: number, atMs: number): ListNews<T> {
    const before = this.trust()
    const differences = this.reduce(outcome, beganAt, atMs)
    if (differences.length > 0) this.lastChangeAtMs = this.options.clock.now()
    const after = this.trust()
    return before.isTrusted === after.isTrusted ? { differences } : { differences, trust: after }
  }

  private reduce(outcome: Listing<T> | Error, beganAt: number, atMs: number): readonly Difference<T>[] {
    if (outcome instanceof Error) {
      this.failures++
      this.sightings = afterSilence(this.sightings, atMs, outcome.message)
      return []
    }
    this.failures = 0
    this.listedAheadMs = this.beganAheadMs
    if (outcome.kind === 'listed') return this.reduceList(outcome, beganAt, atMs)
    this.sightings = afterUnchanged(this.sightings, atMs)
    return []
  }

  private reduceList(listed: Listing<T> & { kind: 'listed' }, beganAt: number, atMs: number): readonly Difference<T>[] {
    const { kind, pace, isInMotion } = this.options
    const expectedToVanish = namesDeleted(this.writes.all())
    const after = afterList(this.sightings, { records: listed, atMs, expectedToVanish }, kind, pace)
    const confirmed = this.writes.confirm(beganAt)
    this.sightings = after.sightings
    this.lastUpdateInSeconds = listed.lastUpdateInSeconds
    this.fullListAtMs = atMs
    this.listedAt = beganAt
    this.noteTime(listed, atMs)
    this.inMotion = listed.records.some(isInMotion)
    return [...after.differences, ...this.confirmations(confirmed, after.differences)]
  }

  private noteTime({ lastUpdateInSeconds }: Pick<Records<T>, 'lastUpdateInSeconds'>, askedAtMs: number): void {
    const { slurmTime } = this.options
    const answeredAtMs = this.endedAtMs
    if (lastUpdateInSeconds !== undefined) slurmTime.note(lastUpdateInSeconds * 1000, { askedAtMs, answeredAtMs })
    this.setBacks = slurmTime.setBackCount
  }

  /** Whoever wrote waits to hear that it is settled, even if the list shows nothing new. */
  private confirmations(confirmed: readonly Write<T>[], told: readonly Difference<T>[]): Difference<T>[] {
    const names = new Set(confirmed.flatMap((write) => [...write.names]))
    for (const { name } of told) names.delete(name)
    return [...names].flatMap((name) => {
      const record = this.sightings.entries.get(name)
      return record === undefined ? [] : [{ name, old: record, now: record }]
    })
  }

  private trust(): Trust {
    return trustIn(this.sightings, this.options.clock.now(), this.options.pace)
  }
}

function hasNeverLeft(error: unknown): boolean {
  return isSlurmFailure(error, 'unavailable') && error.neverSent
}
