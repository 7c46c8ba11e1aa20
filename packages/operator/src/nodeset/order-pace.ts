/**
 * How soon an order is given again that Slurm did not carry out: a second later, then two, four … The state of its node is
 * unknown until the next list, and the news of that list would bring the next try at once, every second, for as long as
 * lists are answered and orders are not. The same for a deletion before which Slurm is asked
 * once more. It is only memory: an operator that starts anew tries at once.
 *
 * @module
 */
import type { StepResult } from './step-result.ts'
import type { Step } from './steps.ts'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000

const orders: ReadonlySet<Step['do']> = new Set<Step['do']>([
  ...(['drain', 'undrain', 'resume', 'update-slurm-node', 'prune-record'] as const),
  ...(['create-reservation', 'update-reservation', 'delete-reservation'] as const),
])

interface Failed {
  readonly count: number
  readonly error: Error
  readonly againAtMs: number
}

/** See the module. `owner` is the NodeSet whose plan it is. */
export class OrderPace {
  readonly #failed = new Map<string, Failed>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** What came of this order lately, while it is too early to try again. */
  findHeld(owner: string, step: Step): Extract<StepResult, { readonly kind: 'held' }> | undefined {
    const before = this.#failed.get(keyOf(owner, step))
    const inMs = (before?.againAtMs ?? 0) - this.#nowMs()
    return before !== undefined && inMs > 0 ? { kind: 'held', step, error: before.error, inMs } : undefined
  }

  /** Remember what came of steps, as far as they were orders. What was not tried again long after its pause is forgotten. */
  note(owner: string, results: readonly StepResult[]): void {
    const nowMs = this.#nowMs()
    for (const [key, { againAtMs }] of this.#failed) if (nowMs - againAtMs > LONGEST_PAUSE_MS) this.#failed.delete(key)
    for (const result of results) {
      const key = keyOf(owner, result.step)
      if (result.kind === 'done') this.#failed.delete(key)
      if (result.kind !== 'failed' || !asksSlurm(result.step)) continue
      const count = (this.#failed.get(key)?.count ?? 0) + 1
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1))
      this.#failed.set(key, { count, error: result.error, againAtMs: nowMs + pauseMs })
    }
  }
}

function asksSlurm(step: Step): boolean {
  return orders.has(step.do) || 'drainedAs' in step || 'unlistedAs' in step
}

/** Steps of one kind and chain are about one thing. */
function keyOf(owner: string, { do: what, chain }: Step): string {
  return `${owner} ${what} ${chain}`
}
