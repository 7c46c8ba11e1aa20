/**
 * What is to be sent. The same happening again becomes a count in the Event that was sent for it, written from time to
 * time; so a thousand repetitions cost a few requests. No I/O and no clock: time is told by the caller.
 *
 * @module
 */
import { printMicroTime, type EventsEvent } from '@slurm-operator/kube'
import type { EventLimits } from './event-limits.ts'

/** One Event and its repetitions. */
interface Series {
  readonly key: string
  readonly event: EventsEvent
  count: number
  /** Wall clock. */
  lastAtMs: number
  /** Monotonic, as all other times. */
  touchedMs: number
  /** How many repetitions the server knows of; undefined before the Event was sent. */
  told: number | undefined
  countAtMs: number
}

/** What to send next. */
export type EventJob =
  | { readonly do: 'create'; readonly key: string; readonly event: EventsEvent }
  | { readonly do: 'count'; readonly key: string; readonly event: EventsEvent }
  | { readonly do: 'rest'; readonly inMs: number | undefined }

/** The moment, on both clocks. */
export interface Moment {
  readonly wallMs: number
  readonly nowMs: number
}

/** Remembers Events for a while. */
export class EventLedger {
  readonly #limits: EventLimits
  /** The least recently touched first. */
  readonly #series = new Map<string, Series>()
  readonly #new = new Set<Series>()
  /** Sent, and repeated since. */
  readonly #repeated = new Set<Series>()

  constructor(limits: EventLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#new.size
  }

  /** Count the same happening once more; false if it is none that we remember. */
  repeat(key: string, { wallMs, nowMs }: Moment): boolean {
    const series = this.#series.get(key)
    if (series === undefined || nowMs - series.touchedMs > this.#limits.seriesMs) return false
    series.count++
    series.lastAtMs = wallMs
    this.#touch(series, nowMs)
    if (series.told !== undefined) this.#repeated.add(series)
    return true
  }

  /** A new one; false if too many wait. */
  add(key: string, event: EventsEvent, { wallMs, nowMs }: Moment): boolean {
    if (this.#new.size >= this.#limits.mostWaiting) return false
    this.#drop(this.#series.get(key))
    const series: Series = {
      key,
      event,
      count: 1,
      lastAtMs: wallMs,
      touchedMs: nowMs,
      told: undefined,
      countAtMs: nowMs,
    }
    this.#series.set(key, series)
    this.#new.add(series)
    this.#forget(nowMs)
    return true
  }

  /** What comes next. `isLast`: counts are not held back any longer. */
  next(nowMs: number, isLast: boolean): EventJob {
    const [fresh] = this.#new
    if (fresh !== undefined) return { do: 'create', key: fresh.key, event: withCount(fresh) }
    const first = this.#firstRepeated()
    if (first === undefined) return { do: 'rest', inMs: undefined }
    if (first.countAtMs > nowMs && !isLast) return { do: 'rest', inMs: first.countAtMs - nowMs }
    return { do: 'count', key: first.key, event: withCount(first) }
  }

  #firstRepeated(): Series | undefined {
    let first: Series | undefined
    for (const series of this.#repeated) if (first === undefined || series.countAtMs < first.countAtMs) first = series
    return first
  }

  /** The server has it, with this count. */
  told(key: string, event: EventsEvent, nowMs: number): void {
    const series = this.#series.get(key)
    if (series === undefined || series.event.metadata.name !== event.metadata.name) return
    // The first repetition is told at once; people see that it goes on.
    series.countAtMs = series.told === undefined ? nowMs : nowMs + this.#limits.countEveryMs
    series.told = event.series?.count ?? 1
    this.#new.delete(series)
    if (series.count > series.told) this.#repeated.add(series)
    else this.#repeated.delete(series)
  }

  /** The server has forgotten it: it is a new one once more, with its count. */
  renew(key: string): void {
    const series = this.#series.get(key)
    if (series === undefined) return
    series.told = undefined
    this.#repeated.delete(series)
    this.#new.add(series)
  }

  /** The server will never have it. What happens again is a new Event. */
  giveUp(key: string): void {
    this.#drop(this.#series.get(key))
  }

  #touch(series: Series, nowMs: number): void {
    series.touchedMs = nowMs
    this.#series.delete(series.key)
    this.#series.set(series.key, series)
  }

  #drop(series: Series | undefined): void {
    if (series === undefined) return
    this.#series.delete(series.key)
    this.#new.delete(series)
    this.#repeated.delete(series)
  }

  #forget(nowMs: number): void {
    for (const series of this.#series.values()) {
      const isOver = nowMs - series.touchedMs > this.#limits.seriesMs && series.told === series.count
      if (!isOver && this.#series.size <= this.#limits.mostSeries) return
      this.#drop(series)
    }
  }
}

function withCount({ event, count, lastAtMs }: Series): EventsEvent {
  return count < 2 ? event : { ...event, series: { count, lastObservedTime: printMicroTime(lastAtMs) } }
}
