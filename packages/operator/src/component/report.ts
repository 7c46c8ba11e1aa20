/**
 * Tells users what a pass found: conditions and Events, on change only.
 *
 * @module
 */
import type { KubeObject } from '@slurm-operator/kube'
import {
  buildConditions,
  isFirstStatus,
  lookAgain,
  mergeOutcomes,
  outcomeOfChildren,
  outcomeOfStatus,
  type ChildResult,
  type ObjectState,
  type Outcome,
  type RecordEvent,
  type StatusWriter,
} from '@slurm-operator/runtime'
import { stateOf } from '../reasons/reasons.ts'
import type { Kept } from '../world/trim.ts'
import type { Judgement, Obstacle, RoomPass } from './room.ts'
import { recordResults, recordState } from './record-events.ts'

/** Where it is told. */
export interface Reporter<T extends KubeObject> {
  readonly writer: StatusWriter<Kept<T>>
  readonly record: RecordEvent
}

/** What there is to tell. */
export interface Findings<T extends KubeObject> {
  /** As it is in the cache, without defaults. */
  readonly stored: Kept<T>
  readonly obstacles: readonly Obstacle[]
  readonly results: readonly ChildResult[]
  readonly judgement: Judgement | undefined
  readonly at: Pick<RoomPass<KubeObject>, 'pass'>
}

/** Write status and Events. */
export async function report<T extends KubeObject>(to: Reporter<T>, findings: Findings<T>): Promise<Outcome> {
  const { stored, obstacles, results, judgement, at } = findings
  const state = overallState(obstacles, results, judgement)
  const { generation = 0 } = stored.metadata
  const conditions = buildConditions(state, { generation, isFirst: isFirstStatus(stored) })
  const wanted = {
    ...(judgement?.fields !== undefined && { fields: judgement.fields }),
    ...(judgement?.retired !== undefined && { retired: judgement.retired }),
    conditions: [...conditions, ...(judgement?.conditions ?? [])],
  }
  recordResults(to.record, stored, results)
  const written = await to.writer.write(stored, wanted, { signal: at.pass.signal })
  if (written.kind === 'written') recordState(to.record, stored, state, obstacles)
  return mergeOutcomes(outcomeOfStatus(written), lookAgain(judgement?.lookAgainInSeconds))
}

/** The worst wins: what a person must do, then what failed, then what the room itself says. */
function overallState(
  obstacles: readonly Obstacle[],
  results: readonly ChildResult[],
  judgement: Judgement | undefined,
): ObjectState {
  const [first] = obstacles
  if (first !== undefined) return stateOf(first.reason, obstacles.map(({ because }) => because).join(' '))
  const outcome = outcomeOfChildren(results)
  switch (outcome.kind) {
    case 'stalled':
      return { kind: 'stalled', reason: outcome.reason, because: outcome.because }
    case 'retry':
      return stateOf('WriteFailed', outcome.errors.map(({ message }) => message).join(' '))
    case 'look-again':
      return stateOf('WaitingForDeletion', describeWaits(results))
    case 'settled':
      return judgement?.state ?? stateOf('Starting', 'We have only just begun.')
  }
}

function describeWaits(results: readonly ChildResult[]): string {
  const waits = results.flatMap(({ kind, step }) => (kind === 'waiting' ? [step] : []))
  return waits.map(({ resource, key, because }) => `${resource.kind} ${key.name}: ${because}.`).join(' ')
}
