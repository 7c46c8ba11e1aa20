import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { metricTable, type MetricName, type MetricRow } from './metric-table.ts'

/** The metrics of the table, by their names. */
export interface Collectors {
  readonly counter: (name: MetricName<'counter'>) => Counter
  readonly gauge: (name: MetricName<'gauge'>) => Gauge
  readonly histogram: (name: MetricName<'histogram'>) => Histogram
}

/** Make all metrics of the table. */
export function createCollectors(registry: Registry): Collectors {
  const counters = new Map<string, Counter>()
  const gauges = new Map<string, Gauge>()
  const histograms = new Map<string, Histogram>()
  for (const row of metricTable as readonly MetricRow[]) {
    const { name, help, labels, buckets = [] } = row
    const common = { name, help, labelNames: labels, registers: [registry] }
    if (row.type === 'counter') counters.set(name, new Counter(common))
    else if (row.type === 'gauge') gauges.set(name, new Gauge(common))
    else histograms.set(name, new Histogram({ ...common, buckets: [...buckets] }))
  }
  return { counter: inside(counters), gauge: inside(gauges), histogram: inside(histograms) }
}

function inside<T>(map: ReadonlyMap<string, T>): (name: string) => T {
  return (name) => {
    const found = map.get(name)
    if (found === undefined) throw new Error(`Cannot find the metric ${name}: it is not in the table.`)
    return found
  }
}
