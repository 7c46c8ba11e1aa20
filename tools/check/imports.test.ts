import { expect, test } from 'vitest'
import { findImports, targetOf } from './imports.ts'

const specifiersIn = (text: string): string[] =>
  findImports([{ path: 'packages/kube/src/a.ts', text }]).map(({ specifier, typeOnly }) =>
    typeOnly ? `type ${specifier}` : specifier,
  )

test('imports, re-exports, lazy imports and imports for effect are all seen', () => {
  const text = `
    import { a } from './a.ts'
    import './effect.ts'
    export { b } from './b.ts'
    export * from './c.ts'
    const d = await import('./d.ts')`
  expect(specifiersIn(text).sort()).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './effect.ts'])
})

test('only an import without any value is an import of types', () => {
  expect(specifiersIn(`import type { A } from './a.ts'`)).toEqual(['type ./a.ts'])
  expect(specifiersIn(`import { type A, type B } from './a.ts'`)).toEqual(['type ./a.ts'])
  expect(specifiersIn(`import { type A, b } from './a.ts'`)).toEqual(['./a.ts'])
})

test('an import inside a string or a comment is none', () => {
  expect(specifiersIn("const text = `\nimport { a } from './a.ts'\n` // import './b.ts'")).toEqual([])
})

test('files that are not sources have no imports', () => {
  expect(findImports([{ path: 'README.md', text: "import './a.ts'" }])).toEqual([])
})

test('a relative import leads to a file, a package of ours to its door, others out of the repository', () => {
  const from = 'packages/kube/src/watch/watch.ts'
  expect(targetOf({ from, specifier: '../client.ts', typeOnly: false })).toBe('packages/kube/src/client.ts')
  expect(targetOf({ from, specifier: '@slurm-operator/api', typeOnly: false })).toBe('packages/api/src/index.ts')
  expect(targetOf({ from, specifier: 'yaml', typeOnly: false })).toBeUndefined()
})
