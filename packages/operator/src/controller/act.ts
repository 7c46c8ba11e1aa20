import type { ControllerWithDefaults } from '@slurm-operator/api'
import { mergeOutcomes, settled, type Outcome } from '@slurm-operator/runtime'
import type { RoomPass } from '../component/room.ts'
import { actActivePod } from './act-active-pod.ts'
import { actBrokenPods, actFormerStatefulSet } from './act-broken-pods.ts'
import { actClaim } from './act-claim.ts'
import { actConfiguration } from './act-configuration.ts'
import type { ControllerFacts } from './observe.ts'

/** Everything besides the children. One that fails does not keep the others from being done. */
export async function actController(at: RoomPass<ControllerWithDefaults>, facts: ControllerFacts): Promise<Outcome> {
  if (at.object.spec.external) return settled
  const parts = [
    () => actActivePod(at),
    () => actFormerStatefulSet(at),
    () => actBrokenPods(at),
    () => actClaim(at),
    () => actConfiguration(at, facts),
  ]
  const outcomes: Outcome[] = []
  for (const part of parts) outcomes.push(await outcomeOf(part, at.pass.signal))
  return mergeOutcomes(settled, ...outcomes)
}

async function outcomeOf(part: () => Promise<unknown>, signal: AbortSignal): Promise<Outcome> {
  signal.throwIfAborted()
  try {
    const outcome = await part()
    return isOutcome(outcome) ? outcome : settled
  } catch (error) {
    return { kind: 'retry', errors: [error instanceof Error ? error : new Error(String(error))] }
  }
}

function isOutcome(value: unknown): value is Outcome {
  return typeof value === 'object' && value !== null && 'kind' in value
}
