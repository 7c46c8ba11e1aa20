import { REASON_PREFIX } from '@slurm-operator/slurm'
import { expect, test } from 'vitest'
import { aPicture, aWorker, inShort, NOW, ourCordon, slurmSays, stepsThat, workersOf } from './gen.ts'
import { planNodeSet } from './plan.ts'

const held = { drainsOnDelete: true, finalizers: ['nodeset.slinky.slurm.net/drain'] }

test('WP-58: who asks for a drain on deletion gets a finalizer, and loses it with the wish', () => {
  const workers = workersOf([0, 1])
  expect(inShort(planNodeSet(aPicture({ workers, wanted: { drainsOnDelete: true } })))).toEqual(['add-finalizer drain'])
  expect(planNodeSet(aPicture({ workers, wanted: held })).steps).toEqual([])
  const wanted = { ...held, drainsOnDelete: false }
  expect(inShort(planNodeSet(aPicture({ workers, wanted })))).toEqual(['remove-finalizer drain'])
})

test('WP-58: a deleted NodeSet drains its workers, deletes them, and goes', () => {
  const wanted = { ...held, deletedAtMs: NOW }
  const first = planNodeSet(aPicture({ workers: workersOf([0, 1]), wanted }))
  expect(stepsThat(first, 'drain').map(({ slurmName }) => slurmName)).toEqual(['foo-0', 'foo-1'])
  expect(stepsThat(first, 'delete-pod')).toEqual([])
  const reason = `${REASON_PREFIX}pod default/foo-0 awaits removal (NodeSetDeleted)`
  const drained = { annotations: ourCordon('NodeSetDeleted'), slurmNode: slurmSays(['IDLE', 'DRAIN'], { reason }) }
  expect(inShort(planNodeSet(aPicture({ workers: [aWorker('foo-0', drained)], wanted })))).toEqual(['delete-pod foo-0'])
  const last = aPicture({ workers: [aWorker('foo-0', { terminating: true })], wanted })
  expect(inShort(planNodeSet(last))).toEqual(['remove-finalizer drain'])
})

test('WP-58: a deleted NodeSet without the wish touches no worker', () => {
  expect(planNodeSet(aPicture({ workers: workersOf([0, 1]), wanted: { deletedAtMs: NOW } })).steps).toEqual([])
})

test('a claim follows whenDeleted, not whenScaled, when the NodeSet goes', () => {
  const wanted = { ...held, deletedAtMs: NOW, claimTemplates: ['data'], whenScaled: 'Delete' as const }
  const reason = `${REASON_PREFIX}pod default/foo-0 awaits removal (NodeSetDeleted)`
  const workers = [aWorker('foo-0', { slurmNode: slurmSays(['IDLE', 'DRAIN'], { reason }) })]
  const claims = [{ name: 'data-foo-0', terminating: false, ownerReferences: [] }]
  expect(inShort(planNodeSet(aPicture({ workers, wanted, claims })))).toEqual(['delete-pod foo-0'])
})
