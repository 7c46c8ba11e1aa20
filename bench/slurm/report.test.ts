import { describe, expect, test } from 'vitest'
import { buildReport, wakeTimes, type Run } from './report.ts'

const phase = { seconds: 2, cpuSeconds: 1, stallMs: 30, stallCpuMs: 10, peakRssMb: 100 }
const list = { ...phase, requests: 3, bytes: 2e8, nodes: 10, jobs: 20 }
const settle = { peakRssMb: 100, settledRssMb: 50 }
const watched = (heardAtMs: Record<number, number>, changedAtMs: readonly number[]) => ({
  seen: { ...phase, requests: 4, bytes: 1e6, heardAtMs, woken: 5 },
  changedAtMs,
  seconds: 120,
})
const run: Run = {
  sizes: { nodes: 10 },
  ours: { list, settle },
  plain: { list: { ...list, cpuSeconds: 4, stallCpuMs: 0 }, settle: { peakRssMb: 400, settledRssMb: 100 } },
  rest: watched({}, [5]),
  motion: watched({ 0: 1100, 1: 2300, 2: 3200 }, [1000, 2000, 3000, 4000]),
}

describe('the report prevents that', () => {
  test('changes that were never heard of make us look fast', () =>
    expect(wakeTimes(run.motion)).toEqual({ changes: 4, heard: 3, medianMs: 200, longestMs: 300 }))

  test('nothing heard counts as nothing waited', () =>
    expect(wakeTimes(run.rest)).toMatchObject({ heard: 0, medianMs: NaN }))

  test('a ratio is upside down', () =>
    expect(buildReport(run).figures).toMatchObject({ cpuRatio: 0.25, rssRatio: 0.25, settledRssRatio: 0.5 }))

  test('counts are not put first', () => {
    const { lines } = buildReport(run)
    expect(lines[0]).toContain('10 nodes and 20 jobs')
    expect(lines.find((line) => line.startsWith('requests a minute at rest'))).toMatch(/2\.00$/)
  })

  test('a division by nothing is printed as a number', () =>
    expect(buildReport(run).lines.find((line) => line.startsWith('longest turn'))).toContain('?'))
})
