/**
 * What the measurements mean: counts and ratios first, then what was seen.
 *
 * @module
 */
import { availableParallelism, loadavg } from 'node:os'
import type { Report } from '../benchmark.ts'
import type { ClientAnswers } from './orders.ts'

/** A part in which we watched, and when the changes in Slurm were made. */
export interface Watched {
  readonly seen: ClientAnswers['watch']
  readonly changedAtMs: readonly number[]
  readonly seconds: number
}

/** Everything that was measured in one run. */
export interface Run {
  readonly sizes: Readonly<Record<string, number>>
  readonly ours: Pick<ClientAnswers, 'list' | 'settle'>
  readonly plain: Pick<ClientAnswers, 'list' | 'settle'>
  readonly rest: Watched
  readonly motion: Watched
}

/** How long it took from a change in Slurm to the subscriber that was woken. */
export interface WakeTimes {
  readonly changes: number
  readonly heard: number
  readonly medianMs: number
  readonly longestMs: number
}

/** Changes that were never heard of are counted, not timed. A later change of the same node may hide an earlier one. */
export function wakeTimes({ seen, changedAtMs }: Pick<Watched, 'seen' | 'changedAtMs'>): WakeTimes {
  const times = changedAtMs.flatMap((atMs, number) => {
    const heard = seen.heardAtMs[number]
    return heard === undefined ? [] : [heard - atMs]
  })
  const sorted = times.toSorted((one, other) => one - other)
  return {
    changes: changedAtMs.length,
    heard: times.length,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    longestMs: sorted.at(-1) ?? Number.NaN,
  }
}

/** The figures that are looked at first, under the names that programs read. */
function ratiosOf({ ours, plain, rest, motion }: Run) {
  return {
    cpuRatio: ours.list.cpuSeconds / plain.list.cpuSeconds,
    rssRatio: ours.settle.peakRssMb / plain.settle.peakRssMb,
    settledRssRatio: ours.settle.settledRssMb / plain.settle.settledRssMb,
    stallRatio: ours.list.stallCpuMs / plain.list.stallCpuMs,
    stallMs: Math.max(ours.list.stallMs, rest.seen.stallMs, motion.seen.stallMs),
    stallCpuMs: Math.max(ours.list.stallCpuMs, rest.seen.stallCpuMs, motion.seen.stallCpuMs),
    restRequestsPerMinute: perMinute(rest, rest.seen.requests),
    motionRequestsPerMinute: perMinute(motion, motion.seen.requests),
    wakeRestMs: wakeTimes(rest).medianMs,
    wakeMotionMs: wakeTimes(motion).medianMs,
  }
}

function perMinute({ seconds }: Watched, count: number): number {
  return (count * 60) / seconds
}

/** Text for people and figures for programs. */
export function buildReport(run: Run): Report {
  const ratios = ratiosOf(run)
  const wakes = { rest: wakeTimes(run.rest), motion: wakeTimes(run.motion) }
  const { ours, plain, rest, motion, sizes } = run
  return {
    lines: [...describeCounts(run), '', ...describeRatios(ratios), '', ...describeParts(run)],
    figures: { ...ratios, wakes, sizes, raw: { ours, plain, rest, motion }, machine: machine() },
  }
}

function describeCounts({ ours, plain, rest, motion }: Run): string[] {
  const { nodes, jobs, bytes, requests } = ours.list
  const wakes = (watched: Watched): string => {
    const { heard, changes } = wakeTimes(watched)
    return `${heard} of ${changes} changes heard, ${watched.seen.woken} woken`
  }
  return [
    `${nodes} nodes and ${jobs} jobs (plain: ${plain.list.nodes} and ${plain.list.jobs})`,
    `first list: ${requests} requests, ${megabytes(bytes)} MB (plain: ${megabytes(plain.list.bytes)} MB)`,
    `at rest: ${rest.seen.requests} requests and ${megabytes(rest.seen.bytes)} MB in ${rest.seconds} s, ${wakes(rest)}`,
    `in motion: ${motion.seen.requests} requests and ${megabytes(motion.seen.bytes)} MB in ${motion.seconds} s, ${wakes(motion)}`,
  ]
}

function describeRatios(ratios: ReturnType<typeof ratiosOf>): string[] {
  const rows: readonly (readonly [string, number, string])[] = [
    ['CPU of the first list, ours to plain', ratios.cpuRatio, '×'],
    ['memory, most, ours to plain', ratios.rssRatio, '×'],
    ['memory, settled, ours to plain', ratios.settledRssRatio, '×'],
    ['longest turn of the list, ours to plain', ratios.stallRatio, '×'],
    ['longest stall, ours', ratios.stallMs, ' ms'],
    ['  of it on the processor', ratios.stallCpuMs, ' ms'],
    ['requests a minute at rest', ratios.restRequestsPerMinute, ''],
    ['requests a minute in motion', ratios.motionRequestsPerMinute, ''],
    ['change to woken at rest, median', ratios.wakeRestMs, ' ms'],
    ['change to woken in motion, median', ratios.wakeMotionMs, ' ms'],
  ]
  return rows.map(([text, value, unit]) => `${text.padEnd(42)}${`${printed(value)}${unit}`.padStart(12)}`)
}

function describeParts({ ours, plain, rest, motion }: Run): string[] {
  const line = (text: string, ...columns: (number | undefined)[]): string =>
    text.padEnd(30) + columns.map((one) => (one === undefined ? '' : printed(one)).padStart(12)).join('')
  const four = [plain.list, ours.list, rest.seen, motion.seen]
  return [
    `${''.padEnd(30)}${['plain list', 'our list', 'at rest', 'in motion'].map((one) => one.padStart(12)).join('')}`,
    line('seconds', ...four.map(({ seconds }) => seconds)),
    line('CPU, s', ...four.map(({ cpuSeconds }) => cpuSeconds)),
    line('CPU per 100 MB, s', ...four.map(({ cpuSeconds, bytes }) => (cpuSeconds * 1e8) / bytes)),
    line('longest stall, ms', ...four.map(({ stallMs }) => stallMs)),
    line('  of it on the processor, ms', ...four.map(({ stallCpuMs }) => stallCpuMs)),
    line('memory, most so far, MB', ...four.map(({ peakRssMb }) => peakRssMb)),
    line('memory, settled, MB', plain.settle.settledRssMb, undefined, undefined, ours.settle.settledRssMb),
    line(
      'change to woken, longest, ms',
      undefined,
      undefined,
      ...[rest, motion].map((one) => wakeTimes(one).longestMs),
    ),
  ]
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

/** Three digits say all that a measurement on a shared machine can. */
function printed(value: number): string {
  if (!Number.isFinite(value)) return '?'
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

function machine(): Readonly<Record<string, unknown>> {
  return { node: process.version, processors: availableParallelism(), load: loadavg() }
}
