import { seen, unknown, type Knowledge, type SlurmNode } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { aPendingWorker, aSlurmNode, aWorker, inShort, NOW, TOMORROW, workersOf } from './gen.ts'
import { at, exists, FINALIZER, gone, planFor, YESTERDAY, type Situation } from './gen-reservation.ts'
import type { Plan } from './steps.ts'

describe('NodeSets of the same name in two namespaces of one Slurm cluster (WP-46)', () => {
  const theirs = exists({ nodes: 'other-[0-9]' })
  const noNodes = { workers: [aPendingWorker('foo-0'), aPendingWorker('foo-1')] }
  const noted = (namespace: string): Knowledge<SlurmNode> => {
    const comment = JSON.stringify({ namespace, podName: 'foo-0' })
    return seen(aSlurmNode({ name: 'foo-0', address: '10.0.0.2', comment }), NOW)
  }
  const taken = [{ reason: 'ReservationNameTaken', needsPerson: true }]
  const waits = [{ reason: 'Reservation', because: expect.stringContaining('SlurmOperatorMaint-foo exists') }]

  test.each([[[]], [[FINALIZER]]])(
    'one whose workers have not registered yet takes over the reservation of the other (finalizers: %j)',
    (finalizers) => {
      const plan = planFor({ reservation: theirs, finalizers, more: noNodes })
      expect(plan).toMatchObject({ steps: [], problems: [], waits })
      expect(plan.reservationStartsAtMs).toBeUndefined()
      expect(plan.lookAgainInMs).toBeLessThanOrEqual(10_000)
    },
  )
  test('the workers of the other are taken for ours because their pods have the same names', () => {
    const planWith = (namespace: string): Plan => {
      const more = {
        workers: [aWorker('foo-0', { podIp: '10.0.0.1', slurmNode: noted(namespace) })],
        wanted: { replicas: 1 },
      }
      return planFor({ reservation: exists({ nodes: 'foo-0' }), finalizers: [], more })
    }
    expect(inShort(planWith('default'))).toContain('add-finalizer reservation')
    expect(planWith('elsewhere')).toMatchObject({ steps: [], waits })
  })
  test('two that made it in the same moment change it back and forth for ever', () => {
    const plan = planFor({ reservation: theirs, madeFor: TOMORROW })
    expect(plan).toMatchObject({ steps: [], problems: taken })
    const madeFor = plan.reservationStartsAtMs
    expect(inShort(planFor({ reservation: gone, ...(madeFor !== undefined && { madeFor }) }))).toEqual([
      'create-reservation',
    ])
  })
  test('one whose window is over takes the next reservation of that name for its own', () => {
    const over: Situation = { updateStrategy: at(YESTERDAY), reservation: theirs, madeFor: YESTERDAY, finalizers: [] }
    const plan = planFor(over)
    expect(plan).toMatchObject({ steps: [], problems: taken, reservationStartsAtMs: YESTERDAY })
    expect(planFor({ ...over, more: noNodes })).toMatchObject({ steps: [], waits, reservationStartsAtMs: YESTERDAY })
  })
  test('ours is anybody’s until Slurm has listed our nodes after a start of the operator', () => {
    const workers = workersOf([0, 1], { slurmNode: unknown('not-listed-yet') })
    const more = { workers, leftovers: unknown<never>('not-listed-yet'), slurmList: undefined }
    const plan = planFor({ reservation: exists(), madeFor: TOMORROW, more })
    expect(plan).toMatchObject({ steps: [], problems: [], reservationStartsAtMs: TOMORROW })
    expect(plan.waits.filter(({ reason }) => reason === 'Reservation')).toEqual([])
    expect(planFor({ reservation: exists(), more })).toMatchObject({ steps: [], waits })
  })
  test('ours is taken for that of another because all our nodes have got new names', () => {
    const leftovers = seen([aSlurmNode({ name: 'former-0' })], NOW)
    const reservation = exists({ nodes: 'former-[0-1]' })
    expect(inShort(planFor({ reservation, madeFor: TOMORROW, more: { leftovers } }))).toEqual(['update-reservation'])
  })
  test('without workers the reservation of the other is deleted', () => {
    const more = { wanted: { replicas: 0 }, workers: [] }
    expect(planFor({ reservation: theirs, finalizers: [], more }).steps).toEqual([])
  })
  test('the last word of a NodeSet that is deleted is the end of the reservation of another', () => {
    const more = { wanted: { deletedAtMs: NOW } }
    expect(planFor({ reservation: theirs, finalizers: [], more: { ...more, workers: [] } }).steps).toEqual([])
    expect(planFor({ reservation: theirs, madeFor: TOMORROW, more }).steps).toMatchObject([
      { do: 'remove-finalizer', because: expect.stringContaining('SlurmOperatorMaint-foo') },
    ])
  })
  test('ours stays for ever because a short list of Slurm shows none of its nodes', () => {
    const node = (name: string) => aSlurmNode({ name })
    const workers = [
      aWorker('foo-0', { slurmNode: unknown('vanished', node('foo-0')) }),
      aWorker('foo-1', { slurmNode: unknown('vanished', node('foo-1')) }),
      aWorker('foo-2'),
    ]
    const plan = planFor({ reservation: exists(), more: { workers, wanted: { deletedAtMs: NOW } } })
    expect(inShort(plan)).toContain('delete-reservation SlurmOperatorMaint-foo')
  })
})
