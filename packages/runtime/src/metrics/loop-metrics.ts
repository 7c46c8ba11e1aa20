import type { Verdict } from '../loop/judge-pass.ts'
import type { LoopGauges, LoopObserver } from '../loop/loop.ts'
import { PassDeadlineError } from '../loop/pass.ts'
import type { QueueObserver } from '../queue/queue.ts'
import type { Collectors } from './collectors.ts'

/** What one loop tells its metrics. */
export interface LoopMetrics {
  readonly observer: LoopObserver
  readonly queueObserver: QueueObserver
  /** Where the gauges come from, once there is a loop. */
  readonly watch: (loop: { readonly gauges: () => LoopGauges }) => void
  /** Ask the loop now: called before metrics are read. */
  readonly refresh: () => void
}

const results = ['success', 'requeue_after', 'requeue', 'error'] as const
/** controller-runtime's numbers for what nobody waits for, and for the rest. */
const priorities = { normal: '0', low: '-100' } as const

/** The metrics of one loop. All its counters are there from the beginning: an alert on a rate needs their zero. */
export function createLoopMetrics(collectors: Collectors, controller: string): LoopMetrics {
  const queue = { name: controller, controller }
  const { counter, histogram } = collectors
  for (const result of results) counter('controller_runtime_reconcile_total').inc({ controller, result }, 0)
  for (const name of failureCounters) counter(name).inc({ controller }, 0)
  counter('workqueue_adds_total').inc(queue, 0)
  counter('workqueue_retries_total').inc(queue, 0)
  let gauges: (() => LoopGauges) | undefined
  return {
    watch: (loop) => (gauges = () => loop.gauges()),
    refresh: () => gauges && setGauges(collectors, controller, gauges()),
    observer: { ended: (verdict, ranMs) => countPass(collectors, controller, verdict, ranMs) },
    queueObserver: {
      added: () => counter('workqueue_adds_total').inc(queue),
      taken: ({ waitedMs }) => histogram('workqueue_queue_duration_seconds').observe(queue, waitedMs / 1000),
      finished: (ranMs, next) => {
        histogram('workqueue_work_duration_seconds').observe(queue, ranMs / 1000)
        if (next.kind === 'retry') counter('workqueue_retries_total').inc(queue)
      },
    },
  }
}

const failureCounters = [
  'controller_runtime_reconcile_errors_total',
  'controller_runtime_terminal_reconcile_errors_total',
  'controller_runtime_reconcile_panics_total',
  'controller_runtime_reconcile_timeouts_total',
] as const

function countPass({ counter, histogram }: Collectors, controller: string, verdict: Verdict, ranMs: number): void {
  const { result, stalled, isBug, errors } = verdict
  counter('controller_runtime_reconcile_total').inc({ controller, result })
  histogram('controller_runtime_reconcile_time_seconds').observe({ controller }, ranMs / 1000)
  const isLate = errors.some((error) => error instanceof PassDeadlineError)
  const [errorsTotal, terminal, panics, timeouts] = failureCounters
  if (result === 'error') counter(errorsTotal).inc({ controller })
  if (stalled !== undefined) counter(terminal).inc({ controller })
  if (isBug) counter(panics).inc({ controller })
  if (isLate) counter(timeouts).inc({ controller })
}

function setGauges({ gauge }: Collectors, controller: string, { queue, workers, activeWorkers }: LoopGauges): void {
  const labels = { name: controller, controller }
  for (const priority of ['normal', 'low'] as const) {
    gauge('workqueue_depth').set({ ...labels, priority: priorities[priority] }, queue.waiting[priority])
  }
  gauge('workqueue_unfinished_work_seconds').set(labels, queue.unfinishedMs / 1000)
  gauge('workqueue_longest_running_processor_seconds').set(labels, queue.longestRunningMs / 1000)
  gauge('controller_runtime_max_concurrent_reconciles').set({ controller }, workers)
  gauge('controller_runtime_active_workers').set({ controller }, activeWorkers)
}
