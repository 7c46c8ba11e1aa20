import type { ControllerWithDefaults } from '@slurm-operator/api'
import { mergeOutcomes, settled, type Outcome } from '@slurm-operator/runtime'
import type { Acted, RoomPass } from '../component/room.ts'
import { actActivePod } from './act-active-pod.ts'
import { actBrokenPods, actFormerStatefulSet } from './act-broken-pods.ts'
import { actClaim } from './act-claim.ts'
import { actConfiguration } from './act-configuration.ts'
import type { ControllerFacts } from './observe.ts'

/** Everything besides the children. One that fails does not keep the others from being done. */
export async function actController(at: RoomPass<ControllerWithDefaults>, facts: ControllerFacts): Promise<Acted> {
  if (at.object.spec.external) return { outcome: settled, conditions: [] }
  const parts = [
    () => actActivePod(at),
    () => actFormerStatefulSet(at),
    () => actBrokenPods(at),
    () => actClaim(at),
    () => actConfiguration(at, facts),
  ]
  const acted: Acted[] = []
  for (const part of parts) acted.push(await carryOut(part, at.pass.signal))
  return {
    outcome: mergeOutcomes(settled, ...acted.map(({ outcome }) => outcome)),
    conditions: acted.flatMap(({ conditions }) => conditions),
  }
}

async function carryOut(part: () => Promise<Outcome | Acted>, signal: AbortSignal): Promise<Acted> {
  signal.throwIfAborted()
  try {
    const acted = await part()
    return 'outcome' in acted ? acted : { outcome: acted, conditions: [] }
  } catch (error) {
    const errors = [error instanceof Error ? error : new Error(String(error))]
    return { outcome: { kind: 'retry', errors }, conditions: [] }
  }
}
