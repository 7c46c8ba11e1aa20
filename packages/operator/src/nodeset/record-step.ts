import type { Happening } from '@slurm-operator/runtime'
import type { Acting, StepResult } from './acting.ts'
import type { Step } from './steps.ts'

type Told = Pick<Happening, 'type' | 'reason' | 'action' | 'note'>

/** Tell users and the log about a step. */
export function recordStep(result: StepResult, { record, log, observed }: Acting): void {
  if (result.kind === 'skipped') return
  const { step } = result
  const regarding = observed.nodeSet
  if (result.kind === 'failed') {
    log.error(`cannot ${step.do}`, { because: step.because, subject: subjectOf(step), error: result.error })
    record({ regarding, ...failureOf(step, result.error) })
    return
  }
  log.info(step.do, { because: step.because, subject: subjectOf(step) })
  for (const told of successOf(step)) record({ regarding, ...told })
}

function failureOf(step: Step, error: Error): Told {
  const note = `Cannot ${step.do} ${subjectOf(step)}: ${error.message}`
  if (step.do === 'create-pod') return { type: 'Warning', reason: 'FailedCreate', action: 'Create', note }
  if (step.do === 'delete-pod') return { type: 'Warning', reason: 'FailedDelete', action: 'Delete', note }
  return { type: 'Warning', reason: 'SyncFailed', action: 'Sync', note }
}

function successOf(step: Step): readonly Told[] {
  const own: Told[] = step.event
    ? [{ ...step.event, action: 'Sync', note: `${subjectOf(step)}: ${step.because}.` }]
    : []
  if (step.do === 'create-pod') {
    return [{ type: 'Normal', reason: 'SuccessfulCreate', action: 'Create', note: `Created pod ${subjectOf(step)}.` }]
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
