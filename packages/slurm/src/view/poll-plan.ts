/**
 * When to ask for the next list. Pure, so that a simulation can count requests.
 *
 * One list each 30 seconds at rest; one a second while something moves or somebody waits; never so often that
 * slurmrestd spends more than a fifth of its time on us, or half of it while somebody waits. slurmctld itself spends a
 * few hundredths of that. Whoever asks and how many they are changes nothing.
 *
 * @module
 */
import type { Random } from '../client/clock.ts'

/** The numbers; simulations may choose others. */
export interface PollPace {
  readonly fastMs: number
  /** While something is in motion but nothing has changed for `calmAfterMs`: a job that runs for days on a drained node. */
  readonly calmMs: number
  readonly calmAfterMs: number
  readonly restMs: number
  /** After failures: doubles up to this. The breaker decides whether a request really goes out. */
  readonly longestRetryMs: number
  /** A list is asked for at most every so many times its own duration. */
  readonly timesDuration: number
  /** The same while somebody waits. */
  readonly timesDurationWaited: number
  /** And at least every so often, however slow Slurm is. */
  readonly slowestMs: number
}

/** The budget: at rest one list per half minute. */
export const pollPace: PollPace = {
  fastMs: 1000,
  calmMs: 5000,
  calmAfterMs: 10 * 60_000,
  restMs: 30_000,
  longestRetryMs: 15_000,
  timesDuration: 5,
  timesDurationWaited: 2,
  slowestMs: 60_000,
}

/** Everything the decision rests on. */
export interface PollFacts {
  readonly nowMs: number
  /** When the last list was asked for; undefined before the first. */
  readonly beganAtMs: number | undefined
  /** When it was answered, or given up. */
  readonly endedAtMs: number
  /** How long good lists take lately. */
  readonly durationMs: number
  readonly failures: number
  /** A write is unconfirmed, a list is doubted, or somebody waits for an answer. */
  readonly isWaitedFor: boolean
  readonly isInMotion: boolean
  readonly lastChangeAtMs: number
}

/** When the next list should be asked for; may lie in the past. */
export function nextPollAtMs(facts: PollFacts, pace: PollPace, random: Random): number {
  if (facts.beganAtMs === undefined) return facts.nowMs
  if (facts.failures > 0) return facts.endedAtMs + spread(retryMs(facts, pace), pace, random)
  const times = facts.isWaitedFor ? pace.timesDurationWaited : pace.timesDuration
  const gentleMs = Math.min(pace.slowestMs, facts.durationMs * times)
  return facts.beganAtMs + spread(Math.max(wantedMs(facts, pace), gentleMs), pace, random)
}

function retryMs({ failures }: PollFacts, pace: PollPace): number {
  return Math.min(pace.longestRetryMs, pace.fastMs * 2 ** Math.min(failures - 1, 20))
}

function wantedMs({ isWaitedFor, isInMotion, nowMs, lastChangeAtMs }: PollFacts, pace: PollPace): number {
  if (isWaitedFor) return pace.fastMs
  if (!isInMotion) return pace.restMs
  return nowMs - lastChangeAtMs < pace.calmAfterMs ? pace.fastMs : pace.calmMs
}

/** Slow polls of many connections must not fall together; later is allowed, sooner would break the budget. */
function spread(intervalMs: number, { fastMs }: PollPace, random: Random): number {
  return intervalMs <= fastMs ? intervalMs : Math.round(intervalMs * (1 + 0.1 * random()))
}

/** How long lists take lately: the new one counts a third, so that one slow answer does not slow us for long. */
export function smoothedMs(beforeMs: number, tookMs: number): number {
  return beforeMs === 0 ? tookMs : Math.round((2 * beforeMs + tookMs) / 3)
}
