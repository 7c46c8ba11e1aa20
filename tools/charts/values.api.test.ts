import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHARTS } from './chart-files.ts'
import { everythingOn, mergeValues, misspelt, needs, otherValue, renderChart, silent, valueAt } from './gen.ts'
import { findHelm } from './helm.ts'
import { everyNode, readValues, type ValueNode } from './read-values.ts'

const helm = await findHelm()
const MANY_RENDERINGS_MS = 10 * 60_000

const needed = /\.image\.|secretName|^sssd\.conf$|^partitions\.all\.nodesets$/

const charts = Object.keys(everythingOn).map((chart) => ({
  chart,
  leaves: everyNode(readValues(readFileSync(join(CHARTS, chart, 'values.yaml'), 'utf8'))).filter(isLeaf),
}))

function isLeaf({ children, path }: ValueNode): boolean {
  return children.length === 0 && !(path in silent)
}

function baseFor(chart: string, path: string) {
  return mergeValues(
    everythingOn[chart] ?? {},
    ...needs.filter((need) => path.startsWith(need.path)).map(({ values }) => values),
  )
}

describe.for(charts)('values of $chart', ({ chart, leaves }) => {
  test('a value can be set, but nobody reads it', { timeout: MANY_RENDERINGS_MS }, () => {
    const bases = new Map<string, string>()
    const unread = leaves.filter((leaf) => {
      const base = baseFor(chart, leaf.path)
      const key = JSON.stringify(base)
      const before = bases.get(key) ?? renderChart(helm, chart, base).stdout
      bases.set(key, before)
      const after = renderChart(helm, chart, mergeValues(base, valueAt(leaf.path, otherValue(leaf, base))))
      expect(after, leaf.path).toMatchObject({ ok: true })
      return after.stdout === before
    })
    expect(unread.map(({ path }) => path)).toEqual([])
  })

  test('null for a value breaks a template', { timeout: MANY_RENDERINGS_MS }, () => {
    const optional = leaves.filter(({ path }) => !needed.test(path))
    for (let at = 0; at < optional.length; at += 10) {
      const paths = optional.slice(at, at + 10).map(({ path }) => path)
      const bases = paths.map((path) => baseFor(chart, path))
      const values = mergeValues(...bases, ...paths.map((path) => valueAt(path, null)))
      expect(renderChart(helm, chart, values), paths.join(' ')).toMatchObject({ ok: true })
    }
  })

  test('null for a value that is needed is told by Helm, not by us', { timeout: MANY_RENDERINGS_MS }, () => {
    for (const { path } of leaves.filter(({ path }) => needed.test(path))) {
      const { ok, stderr } = renderChart(helm, chart, mergeValues(baseFor(chart, path), valueAt(path, null)))
      expect(ok || stderr.includes('Cannot '), `${path}: ${stderr}`).toBe(true)
    }
  })

  test('the same values give other objects the second time', () => {
    const [first, second] = [1, 2].map(() => renderChart(helm, chart, everythingOn[chart] ?? {}).stdout)
    expect(second).toBe(first)
  })
})

describe('a mistake is told', () => {
  const wrongTypes = [
    { chart: 'slurm', values: { controller: { ha: 3 } }, place: '/controller/ha', wish: 'object' },
    {
      chart: 'slurm',
      values: { nodesets: { a: { replicas: 'two' } } },
      place: '/nodesets/a/replicas',
      wish: 'integer',
    },
    { chart: 'slurm', values: { loginsets: { a: [] } }, place: '/loginsets/a', wish: 'object' },
    { chart: 'slurm', values: { nodesets: { a: { scalingMode: 'X' } } }, place: 'scalingMode', wish: 'StatefulSet' },
    {
      chart: 'slurm',
      values: { partitions: { p: { nodesets: 'a' } } },
      place: '/partitions/p/nodesets',
      wish: 'array',
    },
    { chart: 'slurm-operator', values: { webhook: { podsBinding: 'yes' } }, place: 'podsBinding', wish: 'boolean' },
    { chart: 'slurm-operator', values: { operator: { replicas: -1 } }, place: '/operator/replicas', wish: '0' },
  ]
  test.for(wrongTypes)('a wrong type at $place of $chart', ({ chart, values, place, wish }) => {
    const { ok, stderr } = renderChart(helm, chart, values)
    expect(ok).toBe(false)
    expect(stderr).toContain(place)
    expect(stderr).toContain(wish)
  })

  test('strict does not refuse them', () => {
    const { ok, stderr } = renderChart(helm, 'slurm', { ...misspelt.values, strict: true })
    expect(ok).toBe(false)
    for (const line of misspelt.told) expect(stderr).toContain(`\n${line}\n`)
  })

  test.for(charts)('strict refuses what $chart itself knows', ({ chart }) => {
    expect(renderChart(helm, chart, mergeValues(everythingOn[chart] ?? {}, { strict: true }))).toMatchObject({
      ok: true,
    })
  })
})
