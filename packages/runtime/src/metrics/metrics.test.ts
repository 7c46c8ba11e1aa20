import { systemClock } from '@slurm-operator/kube'
import { expect, test } from 'vitest'
import { PassDeadlineError } from '../loop/pass.ts'
import { Queue } from '../queue/queue.ts'
import { parseMetrics } from './gen.ts'
import { metricTable } from './metric-table.ts'
import { createMetrics, listMetrics } from './metrics.ts'

// Written down here a second time on purpose: these names and labels are in other people's dashboards.
const promised: Readonly<Record<string, string>> = {
  workqueue_depth: 'gauge controller,name,priority',
  workqueue_adds_total: 'counter controller,name',
  workqueue_queue_duration_seconds: 'histogram controller,name',
  workqueue_work_duration_seconds: 'histogram controller,name',
  workqueue_unfinished_work_seconds: 'gauge controller,name',
  workqueue_longest_running_processor_seconds: 'gauge controller,name',
  workqueue_retries_total: 'counter controller,name',
  controller_runtime_reconcile_total: 'counter controller,result',
  controller_runtime_reconcile_errors_total: 'counter controller',
  controller_runtime_terminal_reconcile_errors_total: 'counter controller',
  controller_runtime_reconcile_panics_total: 'counter controller',
  controller_runtime_reconcile_timeouts_total: 'counter controller',
  controller_runtime_reconcile_time_seconds: 'histogram controller',
  controller_runtime_max_concurrent_reconciles: 'gauge controller',
  controller_runtime_active_workers: 'gauge controller',
  controller_runtime_webhook_requests_total: 'counter code,webhook',
  controller_runtime_webhook_latency_seconds: 'histogram webhook',
  controller_runtime_webhook_requests_in_flight: 'gauge webhook',
  controller_runtime_webhook_panics_total: 'counter ',
  rest_client_requests_total: 'counter code,host,method',
  leader_election_master_status: 'gauge name',
  certwatcher_read_certificate_total: 'counter ',
  certwatcher_read_certificate_errors_total: 'counter ',
}

/** A program in which everything has happened once. */
async function busyProgram() {
  const metrics = createMetrics()
  const loop = metrics.forLoop('thing')
  const clock = { ...systemClock, monotonic: () => 0 } // it stands still: what is tried again is not due before we have counted
  const queue = new Queue({ clock, observer: loop.queueObserver })
  loop.watch({ gauges: () => ({ queue: queue.gauges(), workers: 4, activeWorkers: 1 }) })
  queue.add('a')
  queue.add('b', { priority: 'low' })
  queue.add('c')
  const taken = await queue.take()
  queue.finish(taken?.key ?? '', { kind: 'retry' })
  await queue.take()
  const end = { next: { kind: 'forget' }, errors: [], isBug: false } as const
  loop.observer.ended?.({ ...end, result: 'success' }, 12)
  loop.observer.ended?.({ ...end, result: 'error', isBug: true, errors: [new PassDeadlineError(1)] }, 70_000)
  loop.observer.ended?.({ ...end, result: 'error', stalled: { reason: 'X', because: 'y' } }, 1)
  metrics.forWebhooks.started('/v')
  metrics.forWebhooks.finished('/v', 200, 3)
  metrics.forWebhooks.failed('/v')
  metrics.onRequest({ method: 'GET', host: 'a:1', code: 200, durationMs: 1, use: 'call' })
  metrics.onRequest({ method: 'GET', host: 'a:1', code: undefined, durationMs: 1, use: 'call' })
  metrics.forElection('lease')(true)
  metrics.forElection('other')
  metrics.forCertificates.read()
  metrics.forCertificates.failed()
  return { metrics, loop, queue }
}

test('a metric has another name, type or label than dashboards expect', async () => {
  const { metrics } = await busyProgram()
  const { types, samples } = parseMetrics(await metrics.text())
  const seen = Object.keys(promised).map((name) => {
    const own = samples.filter(
      (sample) => sample.name.replace(/_(bucket|sum|count)$/, '') === name || sample.name === name,
    )
    const labels = new Set(own.flatMap((sample) => Object.keys(sample.labels)).filter((label) => label !== 'le'))
    return [name, `${types.get(name)} ${[...labels].sort().join(',')}`]
  })
  expect(Object.fromEntries(seen)).toEqual(promised)
  expect(metricTable.map(({ name }) => name).sort()).toEqual(Object.keys(promised).sort())
})

test('a metric counts something else than it says', async () => {
  const { metrics } = await busyProgram()
  const { samples } = parseMetrics(await metrics.text())
  const value = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    samples.find(
      (sample) => sample.name === name && Object.entries(labels).every(([key, text]) => sample.labels[key] === text),
    )?.value
  const queue = { name: 'thing', controller: 'thing' }
  expect(value('workqueue_adds_total', queue)).toBe(3)
  expect(value('workqueue_retries_total', queue)).toBe(1)
  expect(value('workqueue_depth', { ...queue, priority: '0' })).toBe(0)
  expect(value('workqueue_depth', { ...queue, priority: '-100' })).toBe(1)
  expect(value('workqueue_queue_duration_seconds_count', queue)).toBe(2)
  expect(value('workqueue_work_duration_seconds_count', queue)).toBe(1)
  expect(value('workqueue_unfinished_work_seconds', queue)).toBeGreaterThanOrEqual(0)
  const of = { controller: 'thing' }
  const results = ['success', 'error', 'requeue', 'requeue_after'].map((result) =>
    value('controller_runtime_reconcile_total', { ...of, result }),
  )
  expect(results).toEqual([1, 2, 0, 0])
  expect(value('controller_runtime_reconcile_errors_total', of)).toBe(2)
  expect(value('controller_runtime_terminal_reconcile_errors_total', of)).toBe(1)
  expect(value('controller_runtime_reconcile_panics_total', of)).toBe(1)
  expect(value('controller_runtime_reconcile_timeouts_total', of)).toBe(1)
  expect(value('controller_runtime_reconcile_time_seconds_bucket', { ...of, le: '0.025' })).toBe(2)
  expect(value('controller_runtime_reconcile_time_seconds_bucket', { ...of, le: '+Inf' })).toBe(3)
  expect(value('controller_runtime_max_concurrent_reconciles', of)).toBe(4)
  expect(value('controller_runtime_active_workers', of)).toBe(1)
  expect(value('controller_runtime_webhook_requests_total', { webhook: '/v', code: '200' })).toBe(1)
  expect(value('controller_runtime_webhook_requests_in_flight', { webhook: '/v' })).toBe(0)
  expect(value('rest_client_requests_total', { code: '<error>', method: 'GET', host: 'a:1' })).toBe(1)
  expect(value('leader_election_master_status', { name: 'lease' })).toBe(1)
  expect(value('leader_election_master_status', { name: 'other' })).toBe(0)
})

test('a loop that has done nothing yet is not there, and alerts on its rate stay silent', async () => {
  const metrics = createMetrics()
  metrics.forLoop('idle')
  const { samples } = parseMetrics(await metrics.text())
  const zero = samples.filter(({ labels }) => labels['controller'] === 'idle')
  expect(zero.map(({ name }) => name)).toContain('controller_runtime_reconcile_errors_total')
  expect(zero.every(({ value }) => value === 0)).toBe(true)
})

test('the program itself is not measured', async () => {
  const { types } = parseMetrics(await createMetrics().text())
  const wanted = [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'process_open_fds',
    'process_start_time_seconds',
  ]
  for (const name of [
    ...wanted,
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_heap_size_used_bytes',
    'nodejs_gc_duration_seconds',
  ]) {
    expect([...types.keys()]).toContain(name)
  }
})

test('the table for the documentation misses a metric, or tells nothing about one', async () => {
  const metrics = createMetrics()
  const rows = listMetrics(metrics)
  const { types } = parseMetrics(await metrics.text())
  expect(rows.map(({ name, type }) => `${name} ${type}`).sort()).toEqual(
    [...types].map((pair) => pair.join(' ')).sort(),
  )
  for (const { name, help } of rows) expect(help, name).not.toBe('')
  expect(rows.find(({ name }) => name === 'nodejs_gc_duration_seconds')?.labels).toEqual(['kind'])
})

test('two programs in one process share their numbers', async () => {
  const [one, other] = [createMetrics(), createMetrics()]
  one.forCertificates.read()
  expect(await other.text()).toContain('\ncertwatcher_read_certificate_total 0\n')
})
