import { printTime } from '@slurm-operator/kube'
import { unknown, type Knowledge, type SlurmReservation } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { aWorker, inShort, NOW, TOMORROW, type PictureDifferences } from './gen.ts'
import { at, conditionOf, exists, gone, pictureOf, planFor, YESTERDAY, type Situation } from './gen-reservation.ts'
import type { Picture } from './picture.ts'
import { planNodeSet } from './plan.ts'
import { buildNodeSetStatus } from './status.ts'
import type { Plan } from './steps.ts'

describe('the end of it', () => {
  test('NS-382: it is over: that is remembered and said', () => {
    const over: Situation = { reservation: gone, madeFor: TOMORROW }
    expect(conditionOf(over)).toEqual(['False', 'NotExists'])
    expect(planFor(over).reservationStartsAtMs).toBe(TOMORROW)
  })
  test('NS-383, WP-12: and stays so', () => {
    const over: Situation = { reservation: gone, madeFor: YESTERDAY, updateStrategy: at(YESTERDAY), finalizers: [] }
    expect([conditionOf(over), planFor(over).steps]).toEqual([['False', 'NotExists'], []])
  })
  test('NS-063, WP-12: three passes after the window write nothing', () => {
    const over: Situation = { reservation: gone, madeFor: YESTERDAY, updateStrategy: at(YESTERDAY), finalizers: [] }
    expect([planFor(over).steps, planFor(over).steps, planFor(over).steps]).toEqual([[], [], []])
  })
  const rolling = { type: 'RollingUpdate', maxUnavailable: 1 } as const
  test('NS-384: another strategy: it goes, then the finalizer', () => {
    const situation: Situation = { updateStrategy: rolling, reservation: exists(), madeFor: TOMORROW }
    expect(inShort(planFor(situation))).toEqual([
      'delete-reservation SlurmOperatorMaint-foo',
      'remove-finalizer reservation',
    ])
    expect(conditionOf(situation)).toBe('none')
  })
  test('NS-385: no workers are wanted', () => {
    const plan = planFor({ reservation: exists(), madeFor: TOMORROW, more: { wanted: { replicas: 0 }, workers: [] } })
    expect(inShort(plan)).toEqual(['delete-reservation SlurmOperatorMaint-foo', 'remove-finalizer reservation'])
  })
  test('NS-388: no condition without a schedule', () => {
    expect(conditionOf({ updateStrategy: rolling, reservation: unknown('not-listed-yet'), finalizers: [] })).toBe(
      'none',
    )
  })
  test('NS-054: a finalizer that nothing needs goes', () => {
    expect(inShort(planFor({ updateStrategy: rolling, reservation: gone }))).toEqual(['remove-finalizer reservation'])
  })
  test('one that we made stays for ever because its finalizer was taken away, or one that we never made is deleted', () => {
    const left = { updateStrategy: rolling, reservation: exists(), finalizers: [] }
    expect(inShort(planFor({ ...left, madeFor: TOMORROW }))).toEqual(['delete-reservation SlurmOperatorMaint-foo'])
    expect(inShort(planFor(left))).toEqual([])
  })
  test('a silence does not make us forget it', () => {
    const plan = planFor({ updateStrategy: rolling, reservation: unknown('unreachable'), madeFor: TOMORROW })
    expect([plan.steps, plan.reservationStartsAtMs]).toEqual([[], TOMORROW])
  })
  test('NS-062, WP-26: Slurm is silent: pods and status go on', () => {
    const workers = [aWorker('foo-0', { slurmNode: unknown('unreachable') })]
    const plan = planFor({
      updateStrategy: rolling,
      reservation: unknown('unreachable'),
      finalizers: [],
      more: { workers, slurmList: undefined },
    })
    expect(inShort(plan)).toEqual(['create-pod foo-1'])
  })
})

describe('deleting the NodeSet', () => {
  const deleting = (reservation: Knowledge<SlurmReservation>, more: PictureDifferences = {}): Plan =>
    planFor({ reservation, madeFor: TOMORROW, ...{ more: { ...more, wanted: { deletedAtMs: NOW, ...more.wanted } } } })
  const noController = { kind: 'impossible', reason: 'ControllerNotFound', problem: 'gone' } as const
  test('NS-052: without a Controller nobody can tell: it does not block', () => {
    expect(inShort(deleting(unknown('no-client'), { template: noController }))).toEqual([
      'remove-finalizer reservation',
    ])
    expect(
      inShort(planFor({ reservation: unknown('no-client'), madeFor: TOMORROW, more: { template: noController } })),
    ).toContain('remove-finalizer reservation')
  })
  test('a spec that cannot be read makes us forget a reservation', () => {
    const template = { kind: 'impossible', reason: 'InputsUnreadable', problem: 'x' } as const
    const steps = ['delete-reservation SlurmOperatorMaint-foo', 'remove-finalizer reservation']
    expect(inShort(deleting(exists(), { template }))).toEqual(steps)
    const living = planFor({ reservation: exists(), madeFor: TOMORROW, more: { template } })
    expect(inShort(living)).not.toContain('delete-reservation SlurmOperatorMaint-foo')
  })
  test('NS-056, NS-057: the reservation goes, then the finalizer, in one chain', () => {
    const plan = deleting(exists())
    expect(inShort(plan)).toEqual(['delete-reservation SlurmOperatorMaint-foo', 'remove-finalizer reservation'])
    expect(new Set(plan.steps.map(({ chain }) => chain)).size).toBe(1)
  })
  const lines = (reason: string, minutesAgo: number) => ({
    before: { waiting: [{ name: '', reason, since: printTime(NOW - minutesAgo * 60_000) }] },
  })
  test('NS-058: no client: it does not block for ever', () => {
    const noClient = unknown('no-client') as Knowledge<SlurmReservation>
    const picture = pictureOf({ reservation: noClient, more: { wanted: { deletedAtMs: NOW } } })
    const plan = planNodeSet(picture)
    expect([plan.steps, plan.lookAgainInMs]).toEqual([[], 10_000])
    const { waiting } = buildNodeSetStatus(picture, plan).fields
    const later = { ...picture, before: { ...picture.before, waiting: waiting as Picture['before']['waiting'] } }
    expect(planNodeSet({ ...later, nowMs: NOW + 9 * 60_000 }).steps).toEqual([])
    expect(planNodeSet({ ...later, nowMs: NOW + 10 * 60_000 }).steps).toMatchObject([
      { do: 'remove-finalizer', because: expect.stringContaining('SlurmOperatorMaint-foo') },
    ])
  })
  test('WP-02: a NodeSet that was deleted while no operator ran leaves its reservation behind', () => {
    const hoursAgo = { wanted: { deletedAtMs: NOW - 5 * 3600_000 } }
    expect(deleting(unknown('no-client'), hoursAgo).steps).toEqual([])
    expect(deleting(unknown('no-client'), { ...hoursAgo, ...lines('Reservation', 60) }).steps).toEqual([])
  })
  test('NS-059: Slurm is silent: the finalizer stays, and we look again', () => {
    const plan = deleting(unknown('unreachable'))
    expect([plan.steps, plan.waits.length]).toEqual([[], 1])
    expect(plan.lookAgainInMs).toBeLessThanOrEqual(30_000)
    expect(deleting(unknown('unreachable'), lines('NoConnection', 60)).steps).toEqual([])
  })
  test('WP-26: a Slurm that refuses to delete is asked every quarter of an hour only', () => {
    expect(deleting(exists()).lookAgainInMs).toBe(10_000)
  })
  test('NS-060: nothing holds it: nothing is done and nobody looks again', () => {
    const plan = deleting(gone, { wanted: { finalizers: [] } })
    expect([plan.steps, plan.lookAgainInMs]).toEqual([[], undefined])
  })
})
