import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextPollAtMs, pollPace, smoothedMs, type PollFacts } from './poll-plan.ts'

const SECOND = 1000
const calm: PollFacts = {
  nowMs: 100 * SECOND,
  beganAtMs: 99 * SECOND,
  endedAtMs: 99_010,
  durationMs: 10,
  failures: 0,
  isWaitedFor: false,
  isInMotion: false,
  lastChangeAtMs: 0,
}
const inSeconds = (facts: Partial<PollFacts>): number =>
  (nextPollAtMs({ ...calm, ...facts }, pollPace, () => 0) - 99 * SECOND) / SECOND

const rows: readonly { name: string; facts: Partial<PollFacts>; seconds: number }[] = [
  { name: 'at rest', facts: {}, seconds: 30 },
  { name: 'somebody waits', facts: { isWaitedFor: true }, seconds: 1 },
  { name: 'something moves', facts: { isInMotion: true, lastChangeAtMs: 90 * SECOND }, seconds: 1 },
  {
    name: 'a job of three days on a drained node',
    facts: { isInMotion: true, lastChangeAtMs: -601 * SECOND },
    seconds: 5,
  },
  {
    name: 'somebody waits for that job',
    facts: { isWaitedFor: true, isInMotion: true, lastChangeAtMs: -601 * SECOND },
    seconds: 1,
  },
  {
    name: 'lists take two seconds',
    facts: { isInMotion: true, lastChangeAtMs: 90 * SECOND, durationMs: 2 * SECOND },
    seconds: 10,
  },
  { name: 'lists take two seconds and somebody waits', facts: { isWaitedFor: true, durationMs: 2000 }, seconds: 4 },
  { name: 'lists take a minute', facts: { isWaitedFor: true, durationMs: 60 * SECOND }, seconds: 60 },
  { name: 'one failure', facts: { failures: 1 }, seconds: 1.01 },
  { name: 'ten failures', facts: { failures: 10 }, seconds: 15.01 },
  {
    name: 'a failure after a long deadline',
    facts: { failures: 1, endedAtMs: 119 * SECOND, durationMs: 9 * SECOND },
    seconds: 21,
  },
  { name: 'the first list', facts: { beganAtMs: undefined }, seconds: 1 },
]

describe('the next list is asked for', () => {
  test.for(rows)('$seconds s after the last one: $name', ({ facts, seconds }) => expect(inSeconds(facts)).toBe(seconds))

  test('never more than once a second, and always within reach', () => {
    const anyFacts = fc.record({
      nowMs: fc.constant(100 * SECOND),
      beganAtMs: fc.integer({ min: 0, max: 100 * SECOND }),
      endedAtMs: fc.constant(100 * SECOND),
      durationMs: fc.nat(100 * SECOND),
      failures: fc.nat(2000),
      isWaitedFor: fc.boolean(),
      isInMotion: fc.boolean(),
      lastChangeAtMs: fc.nat(100 * SECOND),
    })
    fc.assert(
      fc.property(anyFacts, fc.integer({ min: 0, max: 999 }), (facts, dice) => {
        const waitMs =
          nextPollAtMs(facts, pollPace, () => dice / 1000) - (facts.failures > 0 ? facts.endedAtMs : facts.beganAtMs)
        expect(waitMs).toBeGreaterThanOrEqual(pollPace.fastMs)
        expect(waitMs).toBeLessThanOrEqual(pollPace.slowestMs * 1.1)
      }),
    )
  })

  test('slower after one slow answer, but not for long', () => {
    let durationMs = 10
    durationMs = smoothedMs(durationMs, 6000)
    expect(durationMs).toBeLessThan(2100)
    for (let round = 0; round < 10; round++) durationMs = smoothedMs(durationMs, 10)
    expect(durationMs).toBeLessThan(50)
  })
})
