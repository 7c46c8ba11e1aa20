import fc from 'fast-check'
import { findProblems, kinds, type OurKind } from '@slurm-operator/api'
import { applyMergePatch } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { anyEditAt, type Edit, type Quality } from './gen-edits.ts'
import { firstSpecs } from './small-cluster.ts'
import { listLeaves } from './leaves.ts'

const SEED = 20_261_116

const leaves = (Object.keys(kinds) as OurKind[]).flatMap((kind) => listLeaves(kind))

/** Some edits of every field. */
function editsOf(quality: Quality): readonly Edit[] {
  return leaves.flatMap((leaf) => fc.sample(anyEditAt(leaf, quality), { numRuns: 20, seed: SEED }))
}

/** What we say about the first spec with this edit. */
function problemsAfter({ kind, spec }: Edit) {
  return findProblems(kind, { spec: applyMergePatch(firstSpecs[kind], spec) })
}

describe('edits that are made from the schemas', () => {
  test('a field is never edited', () => {
    const reached = new Set(editsOf('sound').map(({ path }) => path))
    console.log(`${reached.size} fields of ${Object.keys(kinds).length} kinds`)
    expect(leaves.filter(({ path }) => !reached.has(path))).toEqual([])
    expect(reached.size).toBe(leaves.length)
    expect(reached.size).toBeGreaterThan(170)
  })

  test('what should work has problems', () => {
    const bad = editsOf('sound').filter((edit) => problemsAfter(edit).length > 0)
    expect(bad.map((edit) => ({ ...edit, problems: problemsAfter(edit) }))).toEqual([])
  })

  test('what the schema forbids has none', () => {
    const good = editsOf('wrong').filter((edit) => !problemsAfter(edit).some(({ severity }) => severity === 'error'))
    expect(good.map(({ path, spec }) => `${path}: ${JSON.stringify(spec)}`)).toEqual([])
  })
})
