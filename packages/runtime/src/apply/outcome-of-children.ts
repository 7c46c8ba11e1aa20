import { mergeOutcomes, settled, type Outcome } from '../outcome/outcome.ts'
import type { ChildResult } from './carry-out.ts'
import { describeChild } from './plan-child.ts'

/** Nobody tells us when a stranger's object goes away. */
const LOOK_AGAIN_SECONDS = 60

/** What a pass over children means for its key: failures are tried again, what only a person can solve is not. */
export function outcomeOfChildren(results: readonly ChildResult[]): Outcome {
  return mergeOutcomes(settled, ...results.map(outcomeOf))
}

function outcomeOf(result: ChildResult): Outcome {
  switch (result.kind) {
    case 'done':
    case 'idle':
      return settled
    case 'waiting':
      return { kind: 'look-again', inSeconds: result.step.lookAgainInSeconds }
    case 'failed':
      return { kind: 'retry', errors: [result.error] }
    case 'refused':
      return stalled(result.step.refusal.reason === 'NotOurs' ? 'ObjectNotOurs' : 'NameTaken', result.step.because)
    case 'immutable':
      return stalled('ImmutableField', describeFields(result, 'cannot be changed in an object that exists'))
    case 'invalid':
      return stalled('ObjectInvalid', describeFields(result, 'is not accepted by the API server'))
  }
}

function stalled(reason: string, because: string): Outcome {
  return { kind: 'stalled', reason, because, lookAgainInSeconds: LOOK_AGAIN_SECONDS }
}

function describeFields(
  { step, fields }: Extract<ChildResult, { kind: 'immutable' | 'invalid' }>,
  what: string,
): string {
  return `${describeChild(step)}: ${fields.join(', ')} ${what}`
}
