import { DRAIN_FINALIZER } from '@slurm-operator/api'
import type { Picture } from './picture.ts'
import type { Step } from './steps.ts'

/** The finalizer that holds a NodeSet until its workers are drained: there while its user asks for that. */
export function planDrainFinalizer({ wanted, workers }: Picture): Step[] {
  const has = wanted.finalizers.includes(DRAIN_FINALIZER)
  if (wanted.deletedAtMs === undefined) {
    if (wanted.drainsOnDelete === has) return []
    return [
      wanted.drainsOnDelete
        ? step('add-finalizer', 'drain-on-delete is asked for')
        : step('remove-finalizer', 'drain-on-delete is not asked for'),
    ]
  }
  const isOver = !wanted.drainsOnDelete || workers.every(({ terminating }) => terminating)
  return has && isOver ? [step('remove-finalizer', 'no worker is left')] : []
}

/** Whether a NodeSet that is being deleted first drains its workers. */
export function drainsFirst({ wanted }: Picture): boolean {
  return wanted.deletedAtMs !== undefined && wanted.drainsOnDelete && wanted.finalizers.includes(DRAIN_FINALIZER)
}

function step(what: 'add-finalizer' | 'remove-finalizer', because: string): Step {
  return { do: what, finalizer: DRAIN_FINALIZER, chain: 'finalizer', reason: 'DrainOnDelete', because }
}
