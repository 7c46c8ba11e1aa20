import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextForQueue } from './next-for-queue.ts'
import { lookAgain, mergeOutcomes, settled, type Outcome } from './outcome.ts'

const anySeconds = fc.nat(1000)
const anyOutcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant(settled),
  fc.record({ kind: fc.constant('look-again' as const), inSeconds: anySeconds }),
  fc.record(
    { kind: fc.constant('retry' as const), errors: fc.constant([new Error('x')]), atLatestInSeconds: anySeconds },
    { requiredKeys: ['kind', 'errors'] },
  ),
  fc.record(
    {
      kind: fc.constant('stalled' as const),
      reason: fc.constant('Bad'),
      because: fc.constantFrom('a', 'b'),
      lookAgainInSeconds: anySeconds,
    },
    { requiredKeys: ['kind', 'reason', 'because'] },
  ),
)

describe('outcomes of parts become one outcome', () => {
  test('in any grouping, and settled adds nothing', () => {
    fc.assert(
      fc.property(anyOutcome, anyOutcome, anyOutcome, (a, b, c) => {
        expect(mergeOutcomes(mergeOutcomes(a, b), c)).toEqual(mergeOutcomes(a, mergeOutcomes(b, c)))
        expect(mergeOutcomes(a, settled)).toEqual(a)
        expect(mergeOutcomes(settled, a)).toEqual(a)
      }),
    )
  })

  test('a failure never hides behind success, and no error is lost', () => {
    fc.assert(
      fc.property(fc.array(anyOutcome), (parts) => {
        const whole = mergeOutcomes(...parts)
        const errors = parts.flatMap((part) => (part.kind === 'retry' ? part.errors : []))
        expect(whole.kind === 'retry' ? whole.errors : []).toEqual(errors)
        const isStalled = parts.some(({ kind }) => kind === 'stalled') && !parts.some(({ kind }) => kind === 'retry')
        expect(whole.kind === 'stalled').toBe(isStalled)
      }),
    )
  })

  test('the earliest wish wins', () => {
    const parts: Outcome[] = [lookAgain(30), lookAgain(10, 20), settled]
    expect(mergeOutcomes(...parts)).toEqual({ kind: 'look-again', inSeconds: 10 })
    expect(mergeOutcomes(...parts, { kind: 'retry', errors: [] })).toEqual({
      kind: 'retry',
      errors: [],
      atLatestInSeconds: 10,
    })
    expect(lookAgain()).toEqual(settled)
    expect(lookAgain(undefined, 5, undefined)).toEqual({ kind: 'look-again', inSeconds: 5 })
  })
})

const decisions: readonly (readonly [Outcome, ReturnType<typeof nextForQueue>])[] = [
  [settled, { kind: 'forget' }],
  [lookAgain(1.5), { kind: 'later', inMs: 1500 }],
  [lookAgain(Infinity), { kind: 'forget' }],
  [lookAgain(Number.NaN), { kind: 'retry' }],
  [{ kind: 'retry', errors: [] }, { kind: 'retry' }],
  [
    { kind: 'retry', errors: [], atLatestInSeconds: 30 },
    { kind: 'retry', atLatestInMs: 30_000 },
  ],
  [{ kind: 'stalled', reason: 'R', because: 'b' }, { kind: 'forget' }],
  [
    { kind: 'stalled', reason: 'R', because: 'b', lookAgainInSeconds: 60 },
    { kind: 'later', inMs: 60_000 },
  ],
]

describe('what the queue does', () => {
  for (const [outcome, next] of decisions) {
    test(`after ${JSON.stringify(outcome)}`, () => expect(nextForQueue(outcome)).toEqual(next))
  }
})
