import { seen } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { aPendingWorker, aSlurmNode, aWorker, infoFor, inShort, NOW, stepsThat, TOMORROW, workersOf } from './gen.ts'
import { at, conditionOf, exists, gone, pictureOf, planFor, rememberedAfter, YESTERDAY } from './gen-reservation.ts'
import { findLeftovers } from './picture-pod-info.ts'
import { planNodeSet } from './plan.ts'
import { reservationFlags } from './plan-reservation-wish.ts'

describe('making a reservation', () => {
  test('NS-369: no worker has registered: nothing yet', () => {
    const plan = planFor({
      reservation: gone,
      finalizers: [],
      more: { workers: [aPendingWorker('foo-0'), aPendingWorker('foo-1')] },
    })
    expect(plan.steps).toEqual([])
  })
  test('NS-370: it is made with all it needs, the finalizer first', () => {
    const plan = planFor({ reservation: gone, finalizers: [], updateStrategy: at(TOMORROW, ['overlap']) })
    expect(inShort(plan)).toEqual(['add-finalizer reservation', 'create-reservation'])
    expect(stepsThat(plan, 'create-reservation')[0]?.wish).toEqual({
      name: 'SlurmOperatorMaint-foo',
      startsAtMs: TOMORROW,
      durationInMinutes: 30,
      flags: ['IGNORE_JOBS', 'MAINT', 'OVERLAP'],
      users: ['slurm'],
      nodes: ['foo-[0-1]'],
    })
    expect(new Set(plan.steps.map(({ chain }) => chain))).toEqual(new Set(['reservation']))
    expect(plan.reservationStartsAtMs).toBe(TOMORROW)
  })
  test('NS-415: a node that is no worker of ours is reserved, or a worker that Slurm does not know', () => {
    const workers = [aWorker('foo-0'), aWorker('foo-1'), aPendingWorker('foo-2')]
    const [left, other] = [aSlurmNode({ name: 'foo-9', comment: infoFor('foo-9', 'x') }), aSlurmNode({ name: 'baz-0' })]
    const leftovers = findLeftovers(seen([left, other], NOW), { namespace: 'default', name: 'foo' }, workers)
    const more = { workers, leftovers, slurmList: { nodes: 4, atMs: NOW, wholeAtMs: NOW }, wanted: { replicas: 3 } }
    const [step] = stepsThat(planFor({ reservation: gone, more }), 'create-reservation')
    expect(step?.wish.nodes).toEqual(['foo-[0-1]'])
  })
  test('NS-371: it failed: the next pass tries again, because nothing is remembered', () => {
    expect(inShort(planFor({ reservation: gone }))).toEqual(['create-reservation'])
  })
  test('NS-372: not for a time that is over', () => {
    expect(inShort(planFor({ reservation: gone, updateStrategy: at(YESTERDAY), finalizers: [] }))).toEqual([])
  })
  test('NS-373: for a time that is over if the user forces it', () => {
    const updateStrategy = at(YESTERDAY, ['FORCE_START'])
    expect(inShort(planFor({ reservation: gone, updateStrategy }))).toEqual(['create-reservation'])
  })
  test('NS-387, WP-12: a forced one is made again and again', () => {
    const updateStrategy = at(YESTERDAY, ['FORCE_START'])
    expect(inShort(planFor({ reservation: gone, updateStrategy, madeFor: YESTERDAY, finalizers: [] }))).toEqual([])
  })
  test('NS-389: flags in Slurm’s spelling', () => {
    expect(reservationFlags(at(TOMORROW, ['weekly', ' MAINT ', '']))).toEqual(['IGNORE_JOBS', 'MAINT', 'WEEKLY'])
  })
  test('WP-46: one that a NodeSet of the same name elsewhere made is left alone', () => {
    const plan = planFor({ reservation: exists({ nodes: 'other-[0-9]' }) })
    expect(plan.steps).toEqual([])
    expect(plan.problems).toMatchObject([{ reason: 'ReservationNameTaken' }])
  })
})

describe('keeping it in line', () => {
  const more = { workers: workersOf([0, 1, 2]), wanted: { replicas: 3 } }
  const active = { startsAtMs: NOW - 60_000, endsAtMs: NOW + 60_000 }
  test('NS-374, NS-055: nothing changed: no call', () => {
    expect(planFor({ reservation: exists(), madeFor: TOMORROW }).steps).toEqual([])
  })
  test('NS-375: a worker came before the window', () => {
    const plan = planFor({ reservation: exists(), madeFor: TOMORROW, more })
    expect(stepsThat(plan, 'update-reservation')).toMatchObject([
      { wish: { nodes: ['foo-[0-2]'], startsAtMs: TOMORROW } },
    ])
  })
  test('NS-376: a worker came in the window: only the nodes change', () => {
    const flags = ['IGNORE_JOBS', 'MAINT', 'SPEC_NODES']
    const plan = planFor({ reservation: exists(active), madeFor: TOMORROW, more })
    expect(stepsThat(plan, 'update-reservation')[0]?.wish).toEqual({
      ...{ name: 'SlurmOperatorMaint-foo', nodes: ['foo-0', 'foo-1', 'foo-2'], flags, ...active },
    })
  })
  test('NS-377: flags changed in the window: not now', () => {
    expect(
      planFor({ reservation: exists(active), madeFor: TOMORROW, updateStrategy: at(TOMORROW, ['FLEX']) }).steps,
    ).toEqual([])
  })
  test('NS-378, WP-51: the same nodes written otherwise', () => {
    expect(planFor({ reservation: exists({ ...active, nodes: 'foo-1,foo-0' }), madeFor: TOMORROW }).steps).toEqual([])
    expect(planFor({ reservation: exists({ nodes: 'foo-1,foo-0' }), madeFor: TOMORROW }).steps).toEqual([])
  })
  test('NS-379: Slurm has moved a weekly one: it is not moved back', () => {
    const nextWeek = TOMORROW + 7 * 24 * 3600_000
    const flags = ['IGNORE_JOBS', 'MAINT', 'WEEKLY', 'SPEC_NODES']
    const reservation = exists({ startsAtMs: nextWeek, endsAtMs: nextWeek + 1, flags })
    const plan = planFor({ reservation, madeFor: TOMORROW, updateStrategy: at(TOMORROW, ['WEEKLY']), more })
    expect(stepsThat(plan, 'update-reservation')).toMatchObject([{ wish: { startsAtMs: nextWeek } }])
  })
  test('one that does not repeat and that somebody has moved stays where they moved it', () => {
    const reservation = exists({ startsAtMs: TOMORROW + 3600_000, endsAtMs: TOMORROW + 7200_000 })
    const plan = planFor({ reservation, madeFor: TOMORROW, more })
    expect(stepsThat(plan, 'update-reservation')).toMatchObject([{ wish: { startsAtMs: TOMORROW } }])
  })
  test('NS-380: the update failed: the next pass tries again, because the moved start is not remembered', () => {
    const updateStrategy = at(TOMORROW + 3600_000)
    const picture = pictureOf({ reservation: exists(), madeFor: TOMORROW, updateStrategy })
    const plan = planNodeSet(picture)
    expect(inShort(plan)).toEqual(['update-reservation'])
    const madeFor = rememberedAfter(picture, plan, 'Cannot POST /reservation: refused.')
    expect(madeFor).toBe(TOMORROW)
    expect(inShort(planFor({ reservation: exists(), madeFor, updateStrategy }))).toEqual(['update-reservation'])
  })
  test('NS-381: one that we do not remember is left as it is and remembered', () => {
    const plan = planFor({ reservation: exists(), more: {} })
    expect([plan.steps, plan.reservationStartsAtMs]).toEqual([[], TOMORROW])
    expect(conditionOf({ reservation: exists() })).toEqual(['True', 'Created'])
  })
  test('the start moved after the operator had made it and died, and nobody follows', () => {
    const updateStrategy = at(TOMORROW + 3600_000)
    const found = planFor({ reservation: exists(), updateStrategy })
    expect([found.steps, found.reservationStartsAtMs]).toEqual([[], TOMORROW])
    const next = planFor({ reservation: exists(), madeFor: TOMORROW, updateStrategy })
    expect(stepsThat(next, 'update-reservation')).toMatchObject([{ wish: { startsAtMs: TOMORROW + 3600_000 } }])
  })
  test('a weekly one that we find is moved back to the start in the spec', () => {
    const nextWeek = { startsAtMs: TOMORROW + 7 * 24 * 3600_000, flags: ['IGNORE_JOBS', 'MAINT', 'WEEKLY'] }
    const plan = planFor({ reservation: exists(nextWeek), updateStrategy: at(TOMORROW, ['WEEKLY']) })
    expect([plan.steps, plan.reservationStartsAtMs]).toEqual([[], TOMORROW])
  })
  test('NS-386, WP-11: a new start time is written once', () => {
    const later = TOMORROW + 3600_000
    const first = planFor({ reservation: exists(), madeFor: TOMORROW, updateStrategy: at(later) })
    expect(stepsThat(first, 'update-reservation')).toMatchObject([{ wish: { startsAtMs: later } }])
    const moved = exists({ startsAtMs: later, endsAtMs: later + 1 })
    expect(
      planFor({ reservation: moved, madeFor: first.reservationStartsAtMs ?? 0, updateStrategy: at(later) }).steps,
    ).toEqual([])
  })
  test('NS-390, WP-35: one without times crashes', () => {
    const plan = planFor({ reservation: exists({ startsAtMs: undefined, endsAtMs: undefined }), madeFor: TOMORROW })
    expect(plan.steps).toEqual([])
  })
})
