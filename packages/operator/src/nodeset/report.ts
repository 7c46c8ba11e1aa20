import type { NodeSet } from '@slurm-operator/api'
import type { ObjectState, StatusResult, StatusWriter } from '@slurm-operator/runtime'
import type { Kept } from '../world/trim.ts'
import type { Acting } from './acting.ts'
import { breathe } from './breathe.ts'
import { observe } from './observe.ts'
import { buildNodeSetStatus } from './status.ts'
import type { StepResult } from './step-result.ts'
import type { Plan } from './steps.ts'

/** What a pass has to tell. */
export interface Findings {
  readonly acting: Acting
  readonly plan: Plan
  readonly results: readonly StepResult[]
  readonly writer: StatusWriter<Kept<NodeSet>>
}

/** Write the status as it is after the steps, and an Event if the NodeSet has become stalled. */
export async function reportNodeSet({ acting, plan, results, writer }: Findings): Promise<StatusResult<Kept<NodeSet>>> {
  const { world, failures, signal, record, observed } = acting
  const { metadata } = observed.nodeSet
  const after = results.length === 0 ? observed : await observe(metadata, world, failures, { signal })
  if (after !== 'gone') await breathe(world, after)
  const stored = world.caches.nodeSets.get(metadata)
  if (after === 'gone' || stored === undefined) return { kind: 'gone' }
  const { state, ...wanted } = buildNodeSetStatus(after.picture, plan, describeFailures(results))
  const told = await writer.write(stored, wanted, { signal })
  if (told.kind === 'written' && isNews(stored, state)) record({ regarding: stored, ...describeStall(plan, state) })
  return told
}

/** Some problems have a reason of their own that people already look for. */
function describeStall({ problems }: Pick<Plan, 'problems'>, { reason, because }: ObjectState) {
  const event = problems.find((problem) => problem.reason === reason)?.event
  const told = event === undefined ? { reason: 'SyncFailed', action: 'Sync' } : { reason: event, action: 'Info' }
  return { type: 'Warning', ...told, note: `${reason}: ${because}` } as const
}

const MOST_TOLD = 3

function describeFailures(results: readonly StepResult[]): string | undefined {
  const failed = results.flatMap((result) => (result.kind === 'failed' || result.kind === 'held' ? [result] : []))
  if (failed.length === 0) return undefined
  const told = failed.slice(0, MOST_TOLD).map(({ error }) => error.message)
  const more = failed.length > MOST_TOLD ? ` And ${failed.length - MOST_TOLD} more.` : ''
  return `${told.join(' ')}${more}`
}

function isNews({ status }: Kept<NodeSet>, { kind, reason }: ObjectState): boolean {
  const before = status?.conditions?.find(({ type }) => type === 'Ready')
  return kind === 'stalled' && before?.reason !== reason
}
