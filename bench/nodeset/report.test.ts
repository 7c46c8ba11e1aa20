import { describe, expect, test } from 'vitest'
import type { Part } from './bed.ts'
import { budgets } from './budgets.ts'
import { countRequests, countWrites } from './count-requests.ts'
import { buildReport, figuresOf, type Run } from './report.ts'

const part = (requests: Part['requests'], slurm: Part['slurm']): Part => ({
  ...{ seconds: 10, cpuSeconds: 2, stallMs: 50, stallCpuMs: 20, peakRssMb: 90, rssMb: 80, rssBeforeMb: 60 },
  ...{ requests, slurm, machinesCpuSeconds: 1 },
})
const out = part(
  { 'create pods': 100, 'patch pods/status': 100, 'patch nodesets/status': 5, 'create events': 25, 'watch pods': 3 },
  { 'GET /nodes/': 10, 'GET /node/*': 50, 'POST /node/*': 100 },
)
const run: Run = {
  sizes: { workers: 100 },
  out,
  rest: part({}, { 'GET /nodes/': 1 }),
  roll: part({ 'create pods': 100, 'delete pods': 100, 'patch pods': 400 }, { 'POST /node/*': 200 }),
  in: part({ 'delete pods': 100 }, {}),
}
const audit = (verb: string, resource: string, subresource?: string) =>
  JSON.stringify({ verb, objectRef: { resource, ...(subresource !== undefined && { subresource }) } })

describe('the report prevents that', () => {
  test('what the status and Events cost is counted for the workers, or reads as writes', () =>
    expect(figuresOf(run)).toMatchObject({ outPodWritesPerWorker: 2, outStatusWritesPerSecond: 0.5, outEvents: 25 }))

  test('lists of Slurm are counted as orders', () =>
    expect(figuresOf(run)).toMatchObject({
      ...{ outSlurmWritesPerWorker: 1, outSlurmListsPerSecond: 1, outSlurmLooksPerWorker: 0.5 },
    }))

  test('a minute at rest is as long as the part was', () =>
    expect(figuresOf(run)).toMatchObject({ restSlurmPerMinute: 6, restWritesPerMinute: 0, restCpuPercent: 20 }))

  test('a budget that is missed goes unnoticed, or one that is kept is complained about', () => {
    const { missed } = buildReport(run).figures as { readonly missed: readonly string[] }
    expect(missed).toContain('rollWritesPerWorker')
    expect(missed).not.toContain('outPodWritesPerWorker')
  })

  test('a figure that nobody measured counts as kept', () => {
    const { missed } = buildReport({ ...run, sizes: { workers: 0 } }).figures as { readonly missed: readonly string[] }
    expect(missed).toContain('restCpuPercent')
    expect(missed).toContain('rollWritesPerWorker')
  })

  test('a budget names a figure that does not exist', () => {
    const figures = figuresOf(run)
    expect(budgets.map(({ figure }) => figure).filter((figure) => !(figure in figures))).toEqual([])
  })

  test('budgets between two sizes jump', () => {
    const memory = budgets.find(({ figure }) => figure === 'outPeakRssMb')
    expect([0, 500, 1000, 2000, 20_000].map((workers) => memory?.most(workers))).toEqual(
      [70, 85, 100, 110, 217.14].map((most) => expect.closeTo(most, 1)),
    )
  })
})

describe('counting requests prevents that', () => {
  test('a subresource is taken for the object, or an empty line for a request', () =>
    expect(countRequests([audit('patch', 'pods', 'status'), audit('patch', 'pods'), ''])).toEqual({
      'patch pods/status': 1,
      'patch pods': 1,
    }))

  test('reads count as writes', () => expect(countWrites({ 'get pods': 1, 'watch pods': 2, 'create pods': 3 })).toBe(3))
})
