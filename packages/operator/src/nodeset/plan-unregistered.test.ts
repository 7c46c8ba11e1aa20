import { absent } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { aPicture, aWorker, NOW, stepsThat, workersOf } from './gen.ts'
import type { Worker } from './picture.ts'
import { planNodeSet } from './plan.ts'
import { buildNodeSetStatus } from './status.ts'

const MINUTE = 60_000

/** Workers that Slurm has not listed for ten minutes, besides three that it knows. */
function pictureWith(...missing: readonly Partial<Worker>[]) {
  const lost = { slurmNode: absent(NOW - 10 * MINUTE), conditions: [], readySinceMs: NOW - 10 * MINUTE }
  const workers = [...workersOf([0, 1, 2]), ...missing.map((one, n) => aWorker(`foo-${n + 3}`, { ...lost, ...one }))]
  return aPicture({ workers, wanted: { replicas: workers.length } })
}

describe('a worker that joined Slurm under another name', () => {
  test('is only said not to have joined yet, and nobody learns where it is', () => {
    const picture = pictureWith({ joinedAs: 'n3.example.com' }, { joinedAs: 'n4.example.com' })
    const plan = planNodeSet(picture)
    const { fields, state } = buildNodeSetStatus(picture, plan)
    expect(state).toMatchObject({ kind: 'working', reason: 'JoinedElsewhere' })
    expect(state.because).toMatch(/^foo-3: it has joined Slurm as n3\.example\.com, not as foo-3/)
    expect(fields['waiting']).toMatchObject([
      { name: 'foo-3', reason: 'JoinedElsewhere', message: expect.stringContaining('1 other waits') },
    ])
    expect(plan.steps).toEqual([])
  })

  test('is spoken of while it starts, when its address may still be noted for another', () => {
    const { waits } = planNodeSet(pictureWith({ joinedAs: 'former', readySinceMs: undefined }))
    expect(waits).toEqual([])
  })
})

describe('a new worker on a Kube node whose clock is behind', () => {
  const deleted = (createdAgoMs: number) =>
    stepsThat(planNodeSet(pictureWith({ createdAtMs: NOW - createdAgoMs })), 'delete-pod').map(({ pod }) => pod)

  test('is replaced before it could join Slurm', () => {
    expect(deleted(MINUTE)).toEqual([])
    expect(deleted(9 * MINUTE)).toEqual(['foo-3'])
  })
})
