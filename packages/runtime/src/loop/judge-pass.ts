import type { Outcome } from '../outcome/outcome.ts'
import { nextForQueue } from '../outcome/next-for-queue.ts'
import type { Next } from '../queue/queue-state.ts'
import { isBug } from '../supervise/as-error.ts'
import type { PassEnd } from './pass.ts'

/** The values of the label `result` that people have dashboards for. */
type PassResult = 'success' | 'requeue_after' | 'error'

/** What the end of a pass means for its key, its metrics and its line in the log. */
export interface Verdict {
  readonly next: Next
  readonly result: PassResult
  readonly errors: readonly Error[]
  /** A mistake in the program: what Go would call a panic. */
  readonly isBug: boolean
  readonly stalled?: { readonly reason: string; readonly because: string }
}

/** Judge the end of a pass. */
export function judgePass(end: PassEnd): Verdict {
  if (end.kind === 'threw') {
    return { next: { kind: 'retry' }, result: 'error', errors: [end.error], isBug: isBug(end.error) }
  }
  const next = nextForQueue(end.outcome)
  return { next, isBug: false, ...describe(end.outcome, next) }
}

function describe(outcome: Outcome, next: Next): Pick<Verdict, 'result' | 'errors' | 'stalled'> {
  switch (outcome.kind) {
    case 'settled':
      return { result: 'success', errors: [] }
    case 'look-again':
      if (next.kind === 'retry')
        return { result: 'error', errors: [new TypeError(`Cannot look again in ${outcome.inSeconds} s.`)] }
      return { result: 'requeue_after', errors: [] }
    case 'retry':
      return { result: 'error', errors: outcome.errors }
    case 'stalled':
      return { result: 'error', errors: [], stalled: { reason: outcome.reason, because: outcome.because } }
  }
}
