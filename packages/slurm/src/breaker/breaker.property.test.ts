import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterCall,
  beginProbe,
  breakerPace,
  closedBreaker,
  permission,
  type Breaker,
  type CallOutcome,
} from './breaker.ts'

const bad = fc.constantFrom<CallOutcome>('failed', 'timed-out', 'refused-token')
const chance = fc.double({ min: 0, max: 0.999, noNaN: true })

/** Call whenever it is allowed, every `stepMs`, and note when requests really go out. */
function live(
  outcomes: (at: number) => CallOutcome,
  random: () => number,
  stepMs: number,
  endMs: number,
): { sentAt: number[]; breaker: Breaker } {
  let breaker: Breaker = closedBreaker
  const sentAt: number[] = []
  for (let nowMs = 0; nowMs < endMs; nowMs += stepMs) {
    const allowed = permission(breaker, nowMs)
    if (allowed === 'leave-alone') continue
    if (allowed === 'probe') breaker = beginProbe(breaker)
    sentAt.push(nowMs)
    breaker = afterCall(breaker, outcomes(nowMs), { nowMs, random })
  }
  return { sentAt, breaker }
}

describe('the breaker prevents that', () => {
  test('a dead slurmrestd is hammered', () => {
    fc.assert(
      fc.property(bad, chance, (outcome, dice) => {
        const { sentAt } = live(
          () => outcome,
          () => dice,
          100,
          10 * 60_000,
        )
        expect(sentAt.length).toBeLessThan(40) // of 6000 that wanted to
      }),
    )
  })

  test('a slurmrestd that is back is not noticed', () => {
    fc.assert(
      fc.property(bad, fc.nat(20 * 60_000), chance, (outcome, backAtMs, dice) => {
        const longest = outcome === 'refused-token' ? breakerPace.longestRefusalMs : breakerPace.longestSilenceMs
        const endMs = backAtMs + longest + 1000
        const { breaker } = live(
          (at) => (at < backAtMs ? outcome : 'answered'),
          () => dice,
          500,
          endMs,
        )
        expect(breaker).toEqual(closedBreaker)
      }),
      { numRuns: 50 },
    )
  })

  test('several probe at the same time', () => {
    const open = afterCall(closedBreaker, 'timed-out', { nowMs: 0, random: () => 0 })
    expect(permission(open, 60_000)).toBe('probe')
    expect(permission(beginProbe(open), 60_000)).toBe('leave-alone')
  })

  test('single failures among good answers stop the traffic', () => {
    const outcomes: CallOutcome[] = ['failed', 'failed', 'answered', 'failed', 'failed', 'answered']
    const end = outcomes.reduce<Breaker>(
      (breaker, outcome) => afterCall(breaker, outcome, { nowMs: 0, random: () => 0 }),
      closedBreaker,
    )
    expect(end).toEqual(closedBreaker)
  })

  test('a call that hung costs the next ones their whole deadline, too', () => {
    expect(afterCall(closedBreaker, 'timed-out', { nowMs: 0, random: () => 0 }).kind).toBe('open')
  })

  test('stragglers make the pause longer and longer', () => {
    const open = afterCall(closedBreaker, 'timed-out', { nowMs: 0, random: () => 0 })
    expect(afterCall(open, 'timed-out', { nowMs: 500, random: () => 0 })).toBe(open)
  })
})
