/**
 * Every metric of the runtime, one row each. Names, labels and buckets are those of controller-runtime and client-go, so
 * that dashboards and alerts people already have go on working. Collectors and documentation are made from this table.
 *
 * @module
 */

/** One metric, for collectors and for people. */
export interface MetricRow {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  readonly labels: readonly string[]
  readonly help: string
  readonly buckets?: readonly number[]
}

const QUEUE = ['name', 'controller'] as const
const tenNanosecondsToQuarterHour = Array.from({ length: 12 }, (_, power) => Number(`1e${power - 8}`))
const fiveMillisecondsToTenSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const fiveMillisecondsToMinute = [
  ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  ...[1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60],
]

/** The table. */
export const metricTable = [
  {
    name: 'workqueue_depth',
    type: 'gauge',
    labels: [...QUEUE, 'priority'],
    help: 'Keys that wait for a worker. Priority 0: something changed; -100: a first list or a look at everything.',
  },
  {
    name: 'workqueue_adds_total',
    type: 'counter',
    labels: QUEUE,
    help: 'Keys that were added while they were not waiting already.',
  },
  {
    name: 'workqueue_queue_duration_seconds',
    type: 'histogram',
    labels: QUEUE,
    help: 'How long keys waited for a worker.',
    buckets: tenNanosecondsToQuarterHour,
  },
  {
    name: 'workqueue_work_duration_seconds',
    type: 'histogram',
    labels: QUEUE,
    help: 'How long workers had a key.',
    buckets: tenNanosecondsToQuarterHour,
  },
  {
    name: 'workqueue_unfinished_work_seconds',
    type: 'gauge',
    labels: QUEUE,
    help: 'How long the keys that workers have now have been with them, all together. It grows when a pass hangs.',
  },
  {
    name: 'workqueue_longest_running_processor_seconds',
    type: 'gauge',
    labels: QUEUE,
    help: 'How long the key that has been with its worker for longest has been there.',
  },
  {
    name: 'workqueue_retries_total',
    type: 'counter',
    labels: QUEUE,
    help: 'Keys that were put back with a growing delay, because their pass failed.',
  },
  {
    name: 'controller_runtime_reconcile_total',
    type: 'counter',
    labels: ['controller', 'result'],
    help: 'Passes by how they ended: success, requeue_after, requeue, error.',
  },
  {
    name: 'controller_runtime_reconcile_errors_total',
    type: 'counter',
    labels: ['controller'],
    help: 'Passes that failed, or that wait for a person.',
  },
  {
    name: 'controller_runtime_terminal_reconcile_errors_total',
    type: 'counter',
    labels: ['controller'],
    help: 'Passes that found something only a person can solve.',
  },
  {
    name: 'controller_runtime_reconcile_panics_total',
    type: 'counter',
    labels: ['controller'],
    help: 'Passes that ended by a mistake in the program. Should always be 0.',
  },
  {
    name: 'controller_runtime_reconcile_timeouts_total',
    type: 'counter',
    labels: ['controller'],
    help: 'Passes that took longer than their deadline.',
  },
  {
    name: 'controller_runtime_reconcile_time_seconds',
    type: 'histogram',
    labels: ['controller'],
    help: 'How long passes took.',
    buckets: fiveMillisecondsToMinute,
  },
  {
    name: 'controller_runtime_max_concurrent_reconciles',
    type: 'gauge',
    labels: ['controller'],
    help: 'How many passes may run at the same time.',
  },
  {
    name: 'controller_runtime_active_workers',
    type: 'gauge',
    labels: ['controller'],
    help: 'How many passes run now.',
  },
  {
    name: 'controller_runtime_webhook_requests_total',
    type: 'counter',
    labels: ['webhook', 'code'],
    help: 'Reviews by path and HTTP code. A denial is a 200.',
  },
  {
    name: 'controller_runtime_webhook_latency_seconds',
    type: 'histogram',
    labels: ['webhook'],
    help: 'How long reviews took, from their first byte to the answer.',
    buckets: fiveMillisecondsToTenSeconds,
  },
  {
    name: 'controller_runtime_webhook_requests_in_flight',
    type: 'gauge',
    labels: ['webhook'],
    help: 'Reviews that have no answer yet.',
  },
  {
    name: 'controller_runtime_webhook_panics_total',
    type: 'counter',
    labels: [],
    help: 'Reviews whose check failed by itself. Should always be 0.',
  },
  {
    name: 'rest_client_requests_total',
    type: 'counter',
    labels: ['code', 'method', 'host'],
    help: 'Requests to the API server by HTTP code, method and host; the code is <error> when there was no answer.',
  },
  {
    name: 'leader_election_master_status',
    type: 'gauge',
    labels: ['name'],
    help: 'Whether this process holds the Lease of that name: 1 or 0.',
  },
  {
    name: 'certwatcher_read_certificate_total',
    type: 'counter',
    labels: [],
    help: 'How often the serving certificate was looked for.',
  },
  {
    name: 'certwatcher_read_certificate_errors_total',
    type: 'counter',
    labels: [],
    help: 'How often no usable serving certificate was found; the one in use stays.',
  },
] as const satisfies readonly MetricRow[]

type Rows = (typeof metricTable)[number]

/** The names of all metrics of one type. */
export type MetricName<Type extends Rows['type']> = Extract<Rows, { readonly type: Type }>['name']
