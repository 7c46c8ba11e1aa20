import type { Clock, ObjectKey } from '@slurm-operator/kube'
import type { Logger } from '../logging/logger.ts'
import type { Outcome } from '../outcome/outcome.ts'
import type { Priority } from '../queue/wish.ts'
import { asError } from '../supervise/as-error.ts'

/** What a pass knows about itself. */
export interface Pass {
  readonly id: string
  /** Aborted at the deadline of the pass, or when the program must end. Give it to every call. */
  readonly signal: AbortSignal
  readonly log: Logger
  readonly priority: Priority
  /** Failures of this key in a row before this pass. */
  readonly failures: number
}

/** One pass over one object. It may throw: that is a failure of this key and of no other. */
export type Reconcile = (key: ObjectKey, pass: Pass) => Promise<Outcome>

/** How long a pass may take. */
export interface PassLimits {
  /** Then it is aborted. */
  readonly deadlineMs: number
  /** So long after being aborted, it is stuck. */
  readonly abortGraceMs: number
}

/** A pass took too long and was told to end. */
export class PassDeadlineError extends Error {
  override readonly name = 'PassDeadlineError'

  constructor(deadlineMs: number, cause?: unknown) {
    super(`Cannot finish the pass: it took longer than ${deadlineMs / 1000} s.`, { cause })
  }
}

/** How a pass ended. */
export type PassEnd =
  | { readonly kind: 'returned'; readonly outcome: Outcome }
  | { readonly kind: 'threw'; readonly error: Error }

/** A pass that is under way. */
export interface RunningPass {
  readonly ended: Promise<PassEnd>
  /** Resolves if it ignores its end; then nobody waits for it any longer. */
  readonly stuck: Promise<void>
  readonly abort: (reason: Error) => void
}

/** Begin a pass. Its `ended` never rejects. */
export function beginPass(
  work: (signal: AbortSignal) => Promise<Outcome>,
  { deadlineMs, abortGraceMs }: PassLimits,
  clock: Clock,
): RunningPass {
  const controller = new AbortController()
  const stuck = Promise.withResolvers<void>()
  let cancel = () => {}
  const abort = (reason: Error) => {
    if (controller.signal.aborted) return
    cancel()
    cancel = clock.schedule(abortGraceMs, stuck.resolve)
    controller.abort(reason)
  }
  cancel = clock.schedule(deadlineMs, () => abort(new PassDeadlineError(deadlineMs)))
  const ended = settle(work, controller.signal, deadlineMs).finally(() => cancel())
  return { ended, stuck: stuck.promise, abort }
}

async function settle(
  work: (signal: AbortSignal) => Promise<Outcome>,
  signal: AbortSignal,
  deadlineMs: number,
): Promise<PassEnd> {
  try {
    const outcome: Outcome | undefined = await work(signal)
    // Types do not reach everywhere: a pass without an outcome would take the whole loop with it.
    if (outcome?.kind === undefined) throw new TypeError('Cannot go on: the pass returned no outcome.')
    return { kind: 'returned', outcome }
  } catch (error) {
    // A call that was interrupted says so in its own words; the reason is what people should read.
    const isLate = signal.reason instanceof PassDeadlineError && error !== signal.reason
    return { kind: 'threw', error: isLate ? new PassDeadlineError(deadlineMs, error) : asError(error) }
  }
}
