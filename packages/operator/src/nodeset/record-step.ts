import type { Happening } from '@slurm-operator/runtime'
import type { Acting } from './acting.ts'
import type { StepResult } from './step-result.ts'
import type { EventReason, Step } from './steps.ts'

type Told = Pick<Happening, 'type' | 'reason' | 'action' | 'note'>
type Done = Extract<StepResult, { readonly kind: 'done' }>

/** Events about the NodeSet as a whole: one for all workers of a pass. The action is what tools already filter by. */
const togetherAs: Readonly<Partial<Record<EventReason, string>>> = {
  ScalingUp: 'ScaleUp',
  ScalingDown: 'ScaleDown',
  RollingUpdate: 'RollingUpdate',
  'Scheduled Update': 'ScheduledUpdate',
}

/** Tell users and the log about all steps of a pass. */
export function recordSteps(results: readonly StepResult[], at: Acting): void {
  const regarding = at.observed.nodeSet
  for (const told of describeTogether(results)) at.record({ regarding, ...told })
  for (const result of results) recordStep(result, at)
}

function recordStep(result: StepResult, { record, log, observed }: Acting): void {
  const { kind, step } = result
  if (kind !== 'done' && kind !== 'failed') return
  const regarding = observed.nodeSet
  if (kind === 'failed') {
    log.error(`cannot ${step.do}`, { because: step.because, subject: subjectOf(step), error: result.error })
    record({ regarding, ...failureOf(step, result.error) })
    return
  }
  log.info(step.do, { because: step.because, subject: subjectOf(step) })
  for (const told of successOf(step)) record({ regarding, ...told })
}

/** One Event for each reason that concerns the whole NodeSet, with the number of workers and the first few names. */
function describeTogether(results: readonly StepResult[]): Told[] {
  const done = results.filter((result): result is Done => result.kind === 'done')
  const groups = Map.groupBy(done, ({ step }) => step.event?.reason)
  return [...groups].flatMap(([reason, group]) => {
    const action = reason && togetherAs[reason]
    const [first] = group
    if (action === undefined || first?.step.event === undefined) return []
    return [{ ...first.step.event, action, note: describeGroup(group) }]
  })
}

const MOST_NAMED = 5

function describeGroup(group: readonly Done[]): string {
  const names = [...new Set(group.map(({ step }) => subjectOf(step)))]
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  const [first] = group
  const because = names.length === 1 && first !== undefined ? `: ${first.step.because}` : ''
  return `${names.slice(0, MOST_NAMED).join(', ')}${more}${because}.`
}

function failureOf(step: Step, error: Error): Told {
  const note = `Cannot ${step.do} ${subjectOf(step)}: ${error.message}`
  if (step.do === 'create-pod' || step.do === 'create-pvc') {
    return { type: 'Warning', reason: 'FailedCreate', action: 'Create', note }
  }
  if (step.do === 'delete-pod') return { type: 'Warning', reason: 'FailedDelete', action: 'Delete', note }
  return { type: 'Warning', reason: 'SyncFailed', action: 'Sync', note }
}

function successOf(step: Step): readonly Told[] {
  const isOwn = step.event !== undefined && !(step.event.reason in togetherAs)
  const own: Told[] =
    isOwn && step.event ? [{ ...step.event, action: 'Sync', note: `${subjectOf(step)}: ${step.because}.` }] : []
  if (step.do === 'create-pod') {
    const made = step.worker.claims.flatMap(({ name, exists }) => (exists ? [] : name))
    const note = `Created pod ${subjectOf(step)}${made.length > 0 ? ` and claim ${made.join(', ')}` : ''}.`
    return [...own, { type: 'Normal', reason: 'SuccessfulCreate', action: 'Create', note }]
  }
  if (step.do === 'create-pvc') {
    return [{ type: 'Normal', reason: 'SuccessfulCreate', action: 'Create', note: `Created claim ${step.claim.name}.` }]
  }
  if (step.do === 'delete-pod') {
    const note = `Deleted pod ${step.pod}: ${step.because}.`
    return [...own, { type: 'Normal', reason: 'SuccessfulDelete', action: 'Delete', note }]
  }
  return own
}

/** What a step is about, for people. */
function subjectOf(step: Step): string {
  if ('pod' in step) return step.pod
  if ('slurmName' in step) return step.slurmName
  if ('worker' in step) return step.worker.name ?? `on ${step.worker.node}`
  if ('claim' in step) return typeof step.claim === 'string' ? step.claim : ''
  if ('what' in step) return step.what
  return 'name' in step ? step.name : ''
}
