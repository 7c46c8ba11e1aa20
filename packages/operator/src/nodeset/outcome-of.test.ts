import { describe, expect, test } from 'vitest'
import { outcomeOf } from './outcome-of.ts'
import type { StepResult } from './step-result.ts'
import type { Step } from './steps.ts'

const step: Step = { do: 'delete-pod', pod: 'foo-0', uid: 'u', chain: 'pod/foo-0', reason: 'ScaledIn', because: 'x' }
const late: StepResult = { kind: 'late', step }
const outdated: StepResult = { kind: 'outdated', step }
const held: StepResult = { kind: 'held', step, error: new Error('500'), inMs: 700 }

describe('the next pass', () => {
  test.each([
    ['asks Slurm for the same node ten times a second until its next list', [outdated], 1],
    ['waits for a list although nothing but time was in the way', [outdated, late], 0.1],
    ['comes sooner than an order may be given again, or later', [outdated, held], 0.7],
    ['forgets what the plan waits for', [{ kind: 'done', step }], 30],
  ] as const)('%s', (_accident, results, inSeconds) => {
    expect(outcomeOf({ lookAgainInMs: 30_000 }, results)).toEqual({ kind: 'look-again', inSeconds })
  })

  test('comes although nothing is left to do, or not after a failure', () => {
    const error = new Error('500')
    expect(outcomeOf({ lookAgainInMs: undefined }, [{ kind: 'done', step }])).toEqual({ kind: 'settled' })
    expect(outcomeOf({ lookAgainInMs: undefined }, [{ kind: 'failed', step, error }])).toMatchObject({
      ...{ kind: 'retry', errors: [error] },
    })
  })
})
