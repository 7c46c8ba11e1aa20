/**
 * Whether Slurm's clock goes forward. "Nothing has changed since" compares times of that clock: after it was set back, it
 * is said of changes as well, until the clock is where it was. Such an answer does not tell the time, so it is asked for
 * now and then; half a minute is as long as nobody notices.
 *
 * @module
 */
import type { Clock } from '../client/clock.ts'

/** The numbers. */
export interface TimePace {
  /** How long Slurm's time is believed to go forward without a look; below the pause between two lists at rest. */
  readonly timeCheckEveryMs: number
}

/** See the field. */
export const timePace: TimePace = { timeCheckEveryMs: 25_000 }

/** What it needs. */
export interface SlurmTimeOptions {
  /** Slurm's time in milliseconds; undefined if it does not tell. */
  readonly read: () => Promise<number | undefined>
  readonly clock: Clock
  readonly pace: TimePace
}

/** When something was asked and answered, by our clock. */
export interface Moments {
  readonly askedAtMs: number
  readonly answeredAtMs: number
}

/** Slurm tells whole seconds. */
const RESOLUTION_MS = 1000
/** Clocks differ in speed, and people set them by less than it takes to change anything. */
const MARGIN_MS = 1000

/** See the module. */
export class SlurmTime {
  private readonly options: SlurmTimeOptions
  /** Slurm's clock is ahead of ours by this at least. */
  private aheadMs: number | undefined
  private lookedAtMs = Number.NEGATIVE_INFINITY
  private setBacks = 0
  private look: Promise<number> | undefined

  constructor(options: SlurmTimeOptions) {
    this.options = options
  }

  /** An answer told Slurm's time. */
  note(slurmMs: number, { askedAtMs, answeredAtMs }: Moments): void {
    const atLeastMs = slurmMs - answeredAtMs
    const atMostMs = slurmMs + RESOLUTION_MS - askedAtMs
    const wasSetBack = this.aheadMs !== undefined && atMostMs < this.aheadMs - MARGIN_MS
    if (wasSetBack) this.setBacks++
    this.aheadMs = wasSetBack ? atLeastMs : Math.max(atLeastMs, this.aheadMs ?? atLeastMs)
    this.lookedAtMs = answeredAtMs
  }

  /** How often it was set back, as far as we have noticed. */
  get setBackCount(): number {
    return this.setBacks
  }

  /** The same after a look, if the last one is long ago; not a number if nobody can tell. Everybody shares one look. */
  async checkSetBacks(): Promise<number> {
    const { clock, pace } = this.options
    if (clock.now() - this.lookedAtMs < pace.timeCheckEveryMs) return this.setBacks
    this.look ??= this.lookNow().finally(() => (this.look = undefined))
    return this.look
  }

  private async lookNow(): Promise<number> {
    const { clock, read } = this.options
    const askedAtMs = clock.now()
    try {
      const slurmMs = await read()
      const answeredAtMs = clock.now()
      if (slurmMs !== undefined) this.note(slurmMs, { askedAtMs, answeredAtMs })
      this.lookedAtMs = answeredAtMs
      return this.setBacks
    } catch {
      return Number.NaN
    }
  }
}
