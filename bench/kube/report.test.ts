import { describe, expect, test } from 'vitest'
import { buildReport, describeRatios, missedGoals, ratiosOf, type Run } from './report.ts'
import { sumPhases, type Measured, type Phase } from './side.ts'

const phase = (seconds: number, cpuSeconds: number, stallMs: number): Phase => ({
  ...{ seconds, cpuSeconds, stallMs },
  stallCpuMs: stallMs / 2,
  peakRssMb: 100,
})

const ours: Measured = {
  start: { title: 'ours', cpuSeconds: 1 },
  list: { ...phase(2, 1, 80), pods: 10 },
  hear: { ...phase(100, 2, 20), heard: 31 },
  call: phase(1, 1, 10),
  settle: { peakRssMb: 200, settledRssMb: 150 },
  ...{ sent: 30, sendSeconds: 99, calls: 20 },
}

const theirs: Measured = {
  start: { title: 'the other 1.2.3', cpuSeconds: 4 },
  list: { ...phase(8, 4, 4000), pods: 10 },
  hear: { ...phase(110, 4, 50), heard: 31 },
  call: phase(5, 8, 40),
  settle: { peakRssMb: 1000, settledRssMb: 600 },
  ...{ sent: 30, sendSeconds: 109, calls: 20 },
}

const run: Run = { sizes: { pods: 10, updates: 30, calls: 20 }, seeded: { seconds: 3, podBytes: 8700 }, ours, theirs }

describe('the figures', () => {
  test('are ours to theirs, and the stall is the longest of all parts', () =>
    expect(ratiosOf(run)).toEqual({
      rssRatio: 0.2,
      settledRssRatio: 0.25,
      cpuRatio: 0.25,
      listCpuRatio: 0.25,
      updateCpuRatio: 0.5,
      callCpuRatio: 0.125,
      stallMs: 80,
      stallCpuMs: 40,
      callSpeedup: 5,
      listSpeedup: 4,
    }))

  test('a program finds them under stable names, with everything that was measured', () =>
    expect(buildReport(run).figures).toMatchObject({
      ...{ rssRatio: 0.2, cpuRatio: 0.25, stallMs: 80, callSpeedup: 5, missed: [] },
      raw: { ours, theirs },
      machine: { node: process.version },
    }))
})

const accidents = [
  { name: 'more memory than allowed', change: { rssRatio: 0.26 }, missed: ['rssRatio'] },
  { name: 'more CPU than allowed', change: { cpuRatio: 0.51 }, missed: ['cpuRatio'] },
  { name: 'a long stall', change: { stallMs: 101 }, missed: ['stallMs'] },
  { name: 'slow calls', change: { callSpeedup: 2.9 }, missed: ['callSpeedup'] },
  {
    name: 'nothing was measured',
    change: { rssRatio: Number.NaN, callSpeedup: Number.NaN },
    missed: ['rssRatio', 'callSpeedup'],
  },
  {
    name: 'exactly what is expected',
    change: { rssRatio: 0.25, cpuRatio: 0.5, stallMs: 100, callSpeedup: 3 },
    missed: [],
  },
]

describe('an expectation that did not come true is named', () => {
  for (const { name, change, missed } of accidents)
    test(name, () => {
      const ratios = { ...ratiosOf(run), ...change }
      const found = missedGoals(ratios)
      expect(found).toEqual(missed)
      expect(describeRatios(ratios).filter((line) => line.endsWith('missed'))).toHaveLength(found.length)
    })
})

test('parts in turns count as one: times add up, the worst stall and the most memory stay', () =>
  expect(sumPhases([phase(1, 2, 30), phase(3, 4, 10)])).toEqual(phase(4, 6, 30)))

describe('the text', () => {
  const { lines } = buildReport(run)

  test('begins with counts and ratios, and shows both sides side by side after them', () => {
    expect(lines.slice(0, 4).join('\n')).toBe(
      'ours and the other 1.2.3\npods 10 and 10, 8.7 kB each\nupdates sent 30 and 30, heard 31 and 31\ncalls 20 and 20',
    )
    expect(lines.findIndex((line) => line.startsWith('memory, most '))).toBeLessThan(
      lines.findIndex((line) => line.endsWith('theirs')),
    )
    expect(
      lines
        .find((line) => line.startsWith('calls a second'))
        ?.trim()
        .split(/\s+/)
        .slice(-2),
    ).toEqual(['20.0', '4.00'])
  })

  test('says when a slow machine had time for fewer updates than wanted', () => {
    const short = buildReport({ ...run, sizes: { ...run.sizes, updates: 500 } })
    expect(short.lines[2]).toContain('30 (of 500: the time was over)')
  })
})
