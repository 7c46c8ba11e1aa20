import type { CacheChange } from '@slurm-operator/runtime'
import { describe, expect, test } from 'vitest'
import { specChanged } from './changes.ts'
import type { KeptMeta } from './trim.ts'

type Meta = Omit<KeptMeta, 'managedFields'>

const before: Meta = {
  ...{ name: 'prod', namespace: 'hpc', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
  ...{ generation: 3, labels: { team: 'a' }, annotations: { note: 'x' } },
}
const updated = (differences: Partial<Meta>): CacheChange<{ metadata: Meta }> => ({
  kind: 'updated',
  old: { metadata: before },
  object: { metadata: { ...before, resourceVersion: '2', ...differences } },
})

describe('which changes are worth a pass: this one prevents that', () => {
  test('our own status wakes us for ever', () => {
    expect(specChanged(updated({}))).toBe(false)
    expect(specChanged(updated({ labels: { team: 'a' }, annotations: { note: 'x' } }))).toBe(false)
  })

  test.each<[string, Partial<Meta>]>([
    ['a new spec', { generation: 4 }],
    ['a deletion', { deletionTimestamp: '2026-06-01T00:00:00Z' }],
    ['another object of the same name', { uid: 'v' }],
    ['a label, which children inherit,', { labels: { team: 'b' } }],
    ['an annotation', { annotations: {} }],
  ])('%s is not noticed', (_what, differences) => {
    expect(specChanged(updated(differences))).toBe(true)
  })

  test('an object that comes or goes is not noticed', () => {
    const object = { metadata: before }
    expect(specChanged({ kind: 'added', object, isInitial: true })).toBe(true)
    expect(specChanged({ kind: 'deleted', object })).toBe(true)
  })
})
