import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findCycles } from './cycles.ts'
import type { Import } from './imports.ts'

const arrow = (from: string, to: string): Import => ({
  from: `src/${from}.ts`,
  specifier: `./${to}.ts`,
  typeOnly: false,
})

test('a cycle is told with the whole way round', () => {
  const imports = [arrow('start', 'a'), arrow('a', 'b'), arrow('b', 'c'), arrow('c', 'a')]
  expect(findCycles(imports)).toEqual(['src/a.ts → src/b.ts → src/c.ts → src/a.ts'])
})

test('a cycle through two packages is found', () => {
  const there = { from: 'packages/kube/src/index.ts', specifier: '@slurm-operator/api', typeOnly: false }
  const back = { from: 'packages/api/src/index.ts', specifier: '@slurm-operator/kube', typeOnly: true }
  expect(findCycles([there, back])).toHaveLength(1)
})

test('two ways to the same file are no cycle', () => {
  expect(
    findCycles([arrow('top', 'left'), arrow('top', 'right'), arrow('left', 'end'), arrow('right', 'end')]),
  ).toEqual([])
})

const anyEdges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)).filter(([from, to]) => from !== to))

test('imports that only go down never form a cycle', () => {
  fc.assert(
    fc.property(anyEdges, (edges) => {
      const down = edges.map(([one, other]) => arrow(`${Math.min(one, other)}`, `${Math.max(one, other)}`))
      expect(findCycles(down)).toEqual([])
    }),
  )
})

test('no ring hides behind other imports', () => {
  fc.assert(
    fc.property(anyEdges, fc.integer({ min: 2, max: 10 }), (edges, size) => {
      const ring = Array.from({ length: size }, (_, index) => arrow(`${index}`, `${(index + 1) % size}`))
      const others = edges.map(([from, to]) => arrow(`${from}`, `${to}`))
      expect(findCycles([...others, ...ring])).not.toEqual([])
    }),
  )
})
