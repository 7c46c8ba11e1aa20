/**
 * What the measurements mean: ratios and counts first, then what was seen.
 *
 * @module
 */
import { availableParallelism, loadavg } from 'node:os'
import type { Report } from '../benchmark.ts'
import type { Seeded } from './seed.ts'
import type { Measured, Phase } from './side.ts'

/** Everything that was measured in one run. */
export interface Run {
  readonly sizes: Readonly<Record<string, number>>
  readonly seeded: Seeded
  readonly ours: Measured
  readonly theirs: Measured
}

/** The figures that are looked at first, under the names that programs read. */
export interface Ratios {
  /** Most memory, ours to theirs. */
  readonly rssRatio: number
  /** Memory some seconds after the work, ours to theirs. */
  readonly settledRssRatio: number
  /** CPU time of everything, the start included, ours to theirs; then of its parts. */
  readonly cpuRatio: number
  readonly listCpuRatio: number
  readonly updateCpuRatio: number
  readonly callCpuRatio: number
  /** The longest stall of our event loop. */
  readonly stallMs: number
  /** The same in CPU time: what it would be on a machine that has time for us. */
  readonly stallCpuMs: number
  /** How many calls we make in the time of one of theirs. */
  readonly callSpeedup: number
  /** How many lists we read in the time of one of theirs. */
  readonly listSpeedup: number
}

/** Compare. */
export function ratiosOf({ ours, theirs }: Pick<Run, 'ours' | 'theirs'>): Ratios {
  const cpu = (of: (side: Measured) => number) => of(ours) / of(theirs)
  return {
    rssRatio: ours.settle.peakRssMb / theirs.settle.peakRssMb,
    settledRssRatio: ours.settle.settledRssMb / theirs.settle.settledRssMb,
    cpuRatio: cpu(({ start, list, hear, call }) =>
      [start, list, hear, call].reduce((sum, one) => sum + one.cpuSeconds, 0),
    ),
    listCpuRatio: cpu(({ list }) => list.cpuSeconds),
    updateCpuRatio: cpu(({ hear }) => hear.cpuSeconds),
    callCpuRatio: cpu(({ call }) => call.cpuSeconds),
    stallMs: longest(ours, 'stallMs'),
    stallCpuMs: longest(ours, 'stallCpuMs'),
    callSpeedup: theirs.call.seconds / ours.call.seconds,
    listSpeedup: theirs.list.seconds / ours.list.seconds,
  }
}

function longest({ list, hear, call }: Measured, what: 'stallMs' | 'stallCpuMs'): number {
  return Math.max(list[what], hear[what], call[what])
}

type Goal = readonly [name: keyof Ratios, text: string, unit: string, most: number | undefined, least?: number]

const goals: readonly Goal[] = [
  ['rssRatio', 'memory, most', '×', 1 / 4],
  ['settledRssRatio', 'memory, settled', '×', undefined],
  ['cpuRatio', 'CPU of everything', '×', 1 / 2],
  ['listCpuRatio', '  of the list', '×', undefined],
  ['updateCpuRatio', '  of the updates', '×', undefined],
  ['callCpuRatio', '  of the calls', '×', undefined],
  ['stallMs', 'longest stall, ours', ' ms', 100],
  ['stallCpuMs', '  most work in one turn', ' ms', undefined],
  ['callSpeedup', 'speed of calls', '×', undefined, 3],
  ['listSpeedup', 'speed of the list', '×', undefined],
]

/** Which expectations did not come true. That is worth a look, not a failure: the machine may be busy. */
export function missedGoals(ratios: Ratios): string[] {
  return goals.flatMap((goal) => (isMissed(goal, ratios) ? [goal[0]] : []))
}

function isMissed([name, , , most, least]: Goal, ratios: Ratios): boolean {
  const value = ratios[name]
  return (most !== undefined && !(value <= most)) || (least !== undefined && !(value >= least))
}

/** Text for people and figures for programs. */
export function buildReport(run: Run): Report {
  const ratios = ratiosOf(run)
  const { ours, theirs, seeded, sizes } = run
  return {
    lines: [...describeCounts(run), '', ...describeRatios(ratios), '', ...describeAbsolutes(run)],
    figures: { ...ratios, missed: missedGoals(ratios), sizes, seeded, raw: { ours, theirs }, machine: machine() },
  }
}

function describeCounts({ sizes, seeded, ours, theirs }: Run): string[] {
  const few = ours.sent < (sizes['updates'] ?? 0) ? ` (of ${sizes['updates']}: the time was over)` : ''
  return [
    `ours and ${theirs.start.title}`,
    `pods ${ours.list.pods} and ${theirs.list.pods}, ${(seeded.podBytes / 1000).toFixed(1)} kB each`,
    `updates sent ${ours.sent} and ${theirs.sent}${few}, heard ${ours.hear.heard} and ${theirs.hear.heard}`,
    `calls ${ours.calls} and ${theirs.calls}`,
  ]
}

/** The table that is looked at first. */
export function describeRatios(ratios: Ratios): string[] {
  return goals.map((goal) => {
    const [name, text, unit, most, least] = goal
    const bound = most ?? least
    const expected = bound === undefined ? '' : `expected ${most === undefined ? '≥' : '≤'} ${bound}${unit}`
    const verdict = bound === undefined ? '' : isMissed(goal, ratios) ? '  missed' : '  holds'
    return `${text.padEnd(26)}${(printed(ratios[name]) + unit).padStart(10)}   ${expected.padEnd(20)}${verdict}`.trimEnd()
  })
}

type Row = readonly [text: string, of: (side: Measured) => number]

const rows: readonly Row[] = [
  ['memory, most, MB', ({ settle }) => settle.peakRssMb],
  ['memory, most until listed, MB', ({ list }) => list.peakRssMb],
  ['memory, settled, MB', ({ settle }) => settle.settledRssMb],
  ['CPU to start, s', ({ start }) => start.cpuSeconds],
  ...phaseRows('list', ({ list }) => list),
  ...phaseRows('updates', ({ hear }) => hear),
  ...phaseRows('calls', ({ call }) => call),
  ['calls a second', ({ calls, call }) => calls / call.seconds],
]

function phaseRows(name: string, of: (side: Measured) => Phase): Row[] {
  return [
    [`${name}, s`, (side) => of(side).seconds],
    [`${name}, CPU s`, (side) => of(side).cpuSeconds],
    [`${name}, longest stall, ms`, (side) => of(side).stallMs],
    [`${name}, most work in one turn, ms`, (side) => of(side).stallCpuMs],
  ]
}

function describeAbsolutes({ ours, theirs }: Run): string[] {
  const line = (text: string, ...columns: string[]) => text.padEnd(38) + columns.map((one) => one.padStart(10)).join('')
  return [line('', 'ours', 'theirs'), ...rows.map(([text, of]) => line(text, printed(of(ours)), printed(of(theirs))))]
}

/** Three digits say all that a measurement on a shared machine can. */
function printed(value: number): string {
  if (!Number.isFinite(value)) return '?'
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

function machine(): Readonly<Record<string, unknown>> {
  return { node: process.version, processors: availableParallelism(), load: loadavg()[0] }
}
