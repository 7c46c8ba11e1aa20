/**
 * When what Slurm says about a worker is noted on its pod. A state that we are about to change is noted when it has
 * changed: the next list tells, and one write does instead of two.
 *
 * @module
 */
import { isStateStep } from './act-slurm.ts'
import type { Picture } from './picture.ts'
import type { StepResult } from './step-result.ts'
import type { Step, StepOf } from './steps.ts'

type Note = StepOf<'set-pod-conditions'>

/** The note on the pod of a worker whose state we are about to change. */
interface Postponed {
  readonly note: Note
  readonly slurmName: string
}

/** The steps of a plan without such notes, and these notes. */
export function postponeNotes(
  steps: readonly Step[],
  { workers }: Pick<Picture, 'workers'>,
): { readonly now: readonly Step[]; readonly notes: readonly Postponed[] } {
  const changing = new Set(steps.flatMap((step) => (isStateStep(step) ? [step.slurmName] : [])))
  if (changing.size === 0) return { now: steps, notes: [] }
  const names = new Map(workers.map(({ uid, slurmName }) => [uid, slurmName]))
  const now: Step[] = []
  const notes: Postponed[] = []
  for (const step of steps) {
    const slurmName = step.do === 'set-pod-conditions' ? (names.get(step.uid) ?? '') : ''
    if (step.do === 'set-pod-conditions' && changing.has(slurmName)) notes.push({ note: step, slurmName })
    else now.push(step)
  }
  return { now, notes }
}

/** Where Slurm did not take the order, nothing has changed, and the note holds. */
export function notesThatHold(notes: readonly Postponed[], results: readonly StepResult[]): readonly Note[] {
  const changed = new Set(
    results.flatMap(({ kind, step }) => (kind === 'done' && isStateStep(step) ? [step.slurmName] : [])),
  )
  return notes.flatMap(({ note, slurmName }) => (changed.has(slurmName) ? [] : [note]))
}
