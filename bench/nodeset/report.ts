/**
 * What was counted, per worker, beside the budgets; then everything that was seen.
 *
 * @module
 */
import { availableParallelism, loadavg } from 'node:os'
import type { Report } from '../benchmark.ts'
import type { Part } from './bed.ts'
import { budgets, type Budget } from './budgets.ts'
import { countWrites } from './count-requests.ts'

const parts = ['out', 'rest', 'roll', 'in'] as const
type PartName = (typeof parts)[number]

/** Everything that was measured in one run. */
export type Run = Readonly<Record<PartName, Part>> & { readonly sizes: Readonly<Record<string, number>> }

/** The figures under the names that programs read. */
export function figuresOf({ sizes, out, rest, roll, in: gone }: Run): Readonly<Record<string, number>> {
  const { workers = 0 } = sizes
  const ofWorkers = (resource: string) => /^(?:pods|persistentvolumeclaims)(?:\/|$)/.test(resource)
  const perMinute = (count: number) => (count * 60) / rest.seconds
  return {
    outPodWritesPerWorker: countWrites(out.requests, ofWorkers) / workers,
    outStatusWritesPerSecond: countWrites(out.requests, (resource) => resource === 'nodesets/status') / out.seconds,
    outEvents: countWrites(out.requests, (resource) => resource === 'events'),
    outSlurmWritesPerWorker: slurmOf(out, (line) => !line.startsWith('GET ')) / workers,
    outSlurmListsPerSecond: slurmOf(out, (line) => /^GET .*\/$/.test(line)) / out.seconds,
    outSlurmLooksPerWorker: slurmOf(out, (line) => /^GET .*\*$/.test(line)) / workers,
    outCpuMsPerWorker: (out.cpuSeconds * 1000) / workers,
    outSeconds: out.seconds,
    emptyRssMb: out.rssBeforeMb,
    outPeakRssMb: out.peakRssMb,
    rollWritesPerWorker: countWrites(roll.requests) / workers,
    rollPodWritesPerWorker: countWrites(roll.requests, ofWorkers) / workers,
    rollSlurmPerWorker: slurmOf(roll) / workers,
    rollCpuMsPerWorker: (roll.cpuSeconds * 1000) / workers,
    rollSeconds: roll.seconds,
    inWritesPerWorker: countWrites(gone.requests) / workers,
    inSlurmPerWorker: slurmOf(gone) / workers,
    inCpuMsPerWorker: (gone.cpuSeconds * 1000) / workers,
    inSeconds: gone.seconds,
    restWritesPerMinute: perMinute(countWrites(rest.requests)),
    restSlurmPerMinute: perMinute(slurmOf(rest)),
    restCpuPercent: (rest.cpuSeconds * 100) / rest.seconds,
    stallMs: Math.max(out.stallMs, roll.stallMs, gone.stallMs),
    stallCpuMs: Math.max(out.stallCpuMs, roll.stallCpuMs, gone.stallCpuMs),
    peakRssMb: gone.peakRssMb,
  }
}

function slurmOf({ slurm }: Part, isMeant: (line: string) => boolean = () => true): number {
  return Object.entries(slurm).reduce((sum, [line, count]) => (isMeant(line) ? sum + count : sum), 0)
}

/** Text for people and figures for programs. */
export function buildReport(run: Run): Report {
  const figures = figuresOf(run)
  const { workers = 0 } = run.sizes
  const rows = budgets.map((budget) => describeBudget(budget, figures[budget.figure] ?? Number.NaN, workers))
  const missed = budgets.filter((budget) => isOver(budget, figures[budget.figure], workers)).map(({ figure }) => figure)
  const { sizes, ...raw } = run
  return {
    lines: [
      `${workers} workers of one NodeSet, out, rolled by 25 % and in`,
      '',
      row('', ['seen', 'budget', 'reference']),
      ...rows,
      '',
      ...describeParts(run),
      '',
      ...describeRequests(run),
    ],
    figures: { ...figures, missed, sizes, raw, machine: machine() },
  }
}

function describeBudget(budget: Budget, seen: number, workers: number): string {
  const { says, unit, most, reference } = budget
  const limit = most(workers)
  const mark = isOver(budget, seen, workers) ? ' !' : '  '
  const columns = [`${printed(seen)}${unit}`, limit === undefined ? '' : `${printed(limit)}${unit}`, reference(workers)]
  return `${row(says, columns)}${mark}`
}

function isOver({ most }: Budget, seen: number | undefined, workers: number): boolean {
  const limit = most(workers)
  return limit !== undefined && !(seen !== undefined && seen <= limit)
}

function describeParts(run: Run): string[] {
  const line = (text: string, of: (part: Part) => number): string =>
    row(
      text,
      parts.map((name) => printed(of(run[name]))),
    )
  return [
    row('', ['out', 'at rest', 'rolled', 'in']),
    line('seconds', ({ seconds }) => seconds),
    line('CPU, s', ({ cpuSeconds }) => cpuSeconds),
    line('CPU of kubelets and Slurm, s', ({ machinesCpuSeconds }) => machinesCpuSeconds),
    line('longest stall, ms', ({ stallMs }) => stallMs),
    line('  of it on the processor, ms', ({ stallCpuMs }) => stallCpuMs),
    line('memory before, MB', ({ rssBeforeMb }) => rssBeforeMb),
    line('memory, most so far, MB', ({ peakRssMb }) => peakRssMb),
    line('memory in the end, MB', ({ rssMb }) => rssMb),
  ]
}

function describeRequests(run: Run): string[] {
  const table = (of: (part: Part) => Readonly<Record<string, number>>): string[] => {
    const names = [...new Set(parts.flatMap((name) => Object.keys(of(run[name]))))].sort()
    return names.map((name) =>
      row(
        name,
        parts.map((part) => String(of(run[part])[name] ?? 0)),
      ),
    )
  }
  return [
    row('requests to the API server', ['out', 'at rest', 'rolled', 'in']),
    ...table(({ requests }) => requests),
    '',
    row('requests to Slurm', ['out', 'at rest', 'rolled', 'in']),
    ...table(({ slurm }) => slurm),
  ]
}

function row(text: string, columns: readonly string[]): string {
  return text.padEnd(52) + columns.map((column) => column.padStart(12)).join('')
}

/** Three digits say all that a measurement on a shared machine can. */
function printed(value: number): string {
  if (!Number.isFinite(value)) return '?'
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

function machine(): Readonly<Record<string, unknown>> {
  return { node: process.version, processors: availableParallelism(), load: loadavg() }
}
