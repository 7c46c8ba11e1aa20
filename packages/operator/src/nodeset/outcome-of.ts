/**
 * When the next pass follows.
 *
 * @module
 */
import { mergeOutcomes, settled, type Outcome } from '@slurm-operator/runtime'
import type { StepResult } from './step-result.ts'
import type { Plan } from './steps.ts'

/** After steps that came too late: there is nothing to wait for. */
const AFTER_LATE_MS = 100
/** After steps of which Slurm says something else than its last list: the next list comes in a second. */
const AFTER_OUTDATED_MS = 1000

/** Failures make the queue back off; otherwise the earliest wish to look again wins. */
export function outcomeOf({ lookAgainInMs }: Pick<Plan, 'lookAgainInMs'>, results: readonly StepResult[]): Outcome {
  const errors = results.flatMap((result) => (result.kind === 'failed' ? [result.error] : []))
  const inMs = results.reduce((soonest, result) => Math.min(soonest, againInMs(result)), lookAgainInMs ?? Infinity)
  const look: Outcome = inMs === Infinity ? settled : { kind: 'look-again', inSeconds: inMs / 1000 }
  return errors.length > 0 ? mergeOutcomes({ kind: 'retry', errors }, look) : look
}

/** When a pass should follow because of this. */
function againInMs(result: StepResult): number {
  if (result.kind === 'late') return AFTER_LATE_MS
  if (result.kind === 'outdated') return AFTER_OUTDATED_MS
  return result.kind === 'held' ? result.inMs : Infinity
}
