import { printTime } from '@slurm-operator/kube'
import { absent, seen, unknown, type Knowledge, type SlurmNode, type SlurmReservation } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import {
  aPendingWorker,
  aPicture,
  aReservation,
  aSlurmNode,
  aWorker,
  infoFor,
  inShort,
  NOW,
  stepsThat,
  TOMORROW,
  workersOf,
  type PictureDifferences,
} from './gen.ts'
import type { Picture, UpdateStrategy } from './picture.ts'
import { findLeftovers } from './picture-pod-info.ts'
import { planNodeSet } from './plan.ts'
import { reservationFlags } from './plan-reservation-wish.ts'
import { buildNodeSetStatus } from './status.ts'
import type { Plan } from './steps.ts'

const FINALIZER = 'nodeset.slinky.slurm.net/reservation'
const YESTERDAY = NOW - 24 * 3600_000
type Scheduled = Extract<UpdateStrategy, { type: 'ScheduledUpdate' }>
const at = (startsAtMs: number, flags: readonly string[] = []): Scheduled => ({
  ...{ type: 'ScheduledUpdate', startsAtMs, durationInMinutes: 30, flags },
})
const exists = (differences: Partial<SlurmReservation> = {}): Knowledge<SlurmReservation> =>
  seen(aReservation(differences), NOW)
const gone: Knowledge<SlurmReservation> = absent(NOW)

interface Situation {
  readonly updateStrategy?: UpdateStrategy
  readonly reservation: Knowledge<SlurmReservation>
  readonly madeFor?: number
  readonly finalizers?: readonly string[]
  readonly more?: PictureDifferences
}

function pictureOf({
  updateStrategy = at(TOMORROW),
  reservation,
  madeFor,
  finalizers = [FINALIZER],
  more = {},
}: Situation) {
  const { wanted, before, ...rest } = more
  return aPicture({
    ...{ workers: workersOf([0, 1]), reservation, ...rest },
    wanted: { updateStrategy, finalizers, ...wanted },
    before: { reservationStartsAtMs: madeFor, ...before },
  })
}

/** The start that `status.reservation` tells the next pass. */
function rememberedAfter(picture: Picture, plan: Plan, failure?: string): number {
  const { reservation } = buildNodeSetStatus(picture, plan, failure).fields
  return Date.parse((reservation as { startTime: string }).startTime)
}

const planFor = (situation: Situation): Plan => planNodeSet(pictureOf(situation))
const conditionOf = (situation: Situation): unknown => {
  const picture = pictureOf(situation)
  const { conditions, retired } = buildNodeSetStatus(picture, planNodeSet(picture))
  const line = conditions.find(({ type }) => type === 'ReservationCreated')
  return line === undefined
    ? retired.includes('ReservationCreated')
      ? 'none'
      : 'as before'
    : [line.status, line.reason]
}

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
