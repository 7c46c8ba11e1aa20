import { isConflict, type Clock, type Random } from '@slurm-operator/kube'
import type { Logger } from '../logging/logger.ts'
import type { Component, Life } from '../manager/component.ts'
import type { RetryPace } from '../queue/policy.ts'
import type { QueueGauges, Taken } from '../queue/queue-state.ts'
import { Queue, type QueueObserver } from '../queue/queue.ts'
import { untilAborted, whenAborted } from '../supervise/until-aborted.ts'
import { withDeadline } from '../supervise/with-deadline.ts'
import { judgePass, type Verdict } from './judge-pass.ts'
import { keyFromText, keyText } from './key-text.ts'
import { createPassId } from './pass-id.ts'
import { beginPass, type Pass, type PassEnd, type PassLimits, type Reconcile, type RunningPass } from './pass.ts'
import type { LoopSource, Wake } from './source.ts'

/** Who wants to know about passes. For metrics: nothing here may throw. */
export interface LoopObserver {
  readonly began?: () => void
  readonly ended?: (verdict: Verdict, ranMs: number) => void
  readonly stuck?: () => void
}

/** What a loop is made of. */
export interface LoopOptions {
  /** In logs and metrics, such as `nodeset`. */
  readonly name: string
  readonly reconcile: Reconcile
  readonly sources: readonly LoopSource[]
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  /** Passes at the same time, over different keys. Default 1. */
  readonly workers?: number
  readonly limits?: PassLimits
  readonly pace?: RetryPace
  readonly observer?: LoopObserver
  readonly queueObserver?: QueueObserver
}

/** Five minutes are more than any pass should need; a pass that then ignores its signal for half a minute is stuck. */
const defaultPassLimits: PassLimits = { deadlineMs: 5 * 60_000, abortGraceMs: 30_000 }

const SOURCES_WITHIN_MS = 2 * 60_000

/** What a loop looks like at one moment. */
export interface LoopGauges {
  readonly queue: QueueGauges
  readonly workers: number
  readonly activeWorkers: number
}

/**
 * The machinery around one kind: sources wake it, keys wait in a queue, workers run passes.
 *
 * A key is never in two passes at once, not even when one hangs. A pass that ignores its deadline keeps its key and
 * loses its worker: another one goes on with the other keys, and `whyUnhealthy` tells, so that the program is restarted.
 */
export class Loop implements Component {
  readonly name: string
  readonly #options: LoopOptions
  readonly #queue: Queue
  readonly #log: Logger
  readonly #limits: PassLimits
  readonly #running = new Map<string, RunningPass>()
  readonly #stuck = new Map<string, number>()
  #isEnding = false

  constructor(options: LoopOptions) {
    const { name, clock, pace, queueObserver } = options
    this.name = name
    this.#options = options
    this.#log = options.log.with({ controller: name })
    this.#limits = options.limits ?? defaultPassLimits
    this.#queue = new Queue({
      clock,
      ...(pace !== undefined && { pace }),
      ...(queueObserver !== undefined && { observer: queueObserver }),
    })
  }

  /** Have a pass over this object, soon or after a while. */
  readonly wake: Wake = (key, options) => this.#queue.add(keyText(key), options)

  /** Start the sources, then work until told to stop; then finish what has begun. */
  async run({ stop, abort, ready }: Life): Promise<void> {
    const { sources, workers = 1 } = this.#options
    await Promise.all(sources.map((source) => this.#startSource(source, stop)))
    ready()
    if (stop.aborted) return
    const work = Promise.all(Array.from({ length: workers }, () => this.#work()))
    await Promise.race([untilAborted(stop), work])
    const forget = whenAborted(abort, () => this.#abortPasses())
    await Promise.all([this.#queue.shutDown(), work])
    forget()
  }

  /** Why the program should be restarted; undefined: it should not. For the liveness check. */
  readonly whyUnhealthy = (): string | undefined => {
    if (this.#stuck.size === 0) return undefined
    const nowMs = this.#options.clock.monotonic()
    const each = [...this.#stuck].map(([key, sinceMs]) => `${key} for ${Math.round((nowMs - sinceMs) / 1000)} s`)
    return `passes of ${this.name} do not end although they were told to: ${each.join(', ')}`
  }

  /** What it looks like now. */
  readonly gauges = (): LoopGauges => {
    const activeWorkers = this.#running.size - this.#stuck.size
    return { queue: this.#queue.gauges(), workers: this.#options.workers ?? 1, activeWorkers }
  }

  async #startSource(source: LoopSource, stop: AbortSignal): Promise<void> {
    const what = `start the loop ${this.name}: its source ${source.name} has not told its objects`
    const limit = { clock: this.#options.clock, withinMs: SOURCES_WITHIN_MS }
    await withDeadline(what, limit, () => source.start(this.wake, stop))
  }

  async #work(): Promise<void> {
    for (;;) {
      const taken = await this.#queue.take()
      if (taken === undefined) return
      await this.#process(taken)
      await this.#options.clock.breathe() // passes without a single wait must not keep everybody else from running
    }
  }

  /** Run one pass. Returns when it has ended, or when it is stuck and must be left behind. */
  async #process(taken: Taken): Promise<void> {
    const { clock, observer, reconcile } = this.#options
    const { key } = taken
    const startMs = clock.monotonic()
    const pass = this.#describe(taken)
    const running = beginPass((signal) => reconcile(keyFromText(key), { ...pass, signal }), this.#limits, clock)
    this.#running.set(key, running)
    observer?.began?.()
    const ended = running.ended.then((end) => this.#conclude(key, end, pass.log, startMs))
    await Promise.race([ended, running.stuck.then(() => this.#leaveBehind(key, pass.log, startMs))])
  }

  #describe({ key, priority, failures }: Taken): Omit<Pass, 'signal'> {
    const id = createPassId(this.#options.random)
    return { id, priority, failures, log: this.#log.with({ ...keyFromText(key), reconcileID: id }) }
  }

  #conclude(key: string, end: PassEnd, log: Logger, startMs: number): void {
    const verdict = judgePass(end)
    this.#running.delete(key)
    if (this.#stuck.delete(key)) log.info('the stuck pass has ended after all')
    if (this.#isEnding && verdict.errors.length > 0) log.info('a pass was left because the program ends')
    else report(verdict, log)
    this.#options.observer?.ended?.(verdict, this.#options.clock.monotonic() - startMs)
    this.#queue.finish(key, verdict.next)
  }

  #leaveBehind(key: string, log: Logger, startMs: number): void {
    if (!this.#running.has(key)) return // it ended in the same moment
    this.#stuck.set(key, startMs)
    log.error('a pass does not end although it was told to; its key waits, the other keys go on')
    this.#options.observer?.stuck?.()
  }

  #abortPasses(): void {
    this.#isEnding = true
    const reason = new Error('Cannot finish the pass: the program ends.')
    for (const pass of this.#running.values()) pass.abort(reason)
  }
}

function report({ errors, isBug, stalled }: Verdict, log: Logger): void {
  if (stalled !== undefined) log.info('a person must help', stalled)
  if (errors.length === 0) return
  const error = errors.length === 1 ? errors[0] : new AggregateError(errors, `${errors.length} steps failed`)
  if (errors.every((one) => isConflict(one))) log.info('somebody else was faster; trying again', { error })
  else log.error(isBug ? 'a pass failed because of a mistake in the program' : 'a pass failed', { error })
}
