import { annotationKeys } from '@slurm-operator/api'
import { absent, REASON_PREFIX, seen, unknown } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import {
  aJob,
  aKubeNode,
  aPendingWorker,
  aPicture,
  aReservation,
  aSlurmNode,
  aWorker,
  infoFor,
  inShort,
  NOW,
  ourCordon,
  slurmSays,
  stepsThat,
  TOMORROW,
  workersOf,
  type PictureDifferences,
} from './gen.ts'
import type { Wanted, Worker } from './picture.ts'
import { CONDEMNED, CORDON_BY } from './picture-keys.ts'
import { planNodeSet } from './plan.ts'
import type { Plan } from './steps.ts'

const old = { revisionHash: 'old' }
const notReady = { readySinceMs: undefined }

function planFor(
  replicas: number,
  max: number | string,
  workers: readonly Worker[],
  more: PictureDifferences = {},
): Plan {
  const updateStrategy = { type: 'RollingUpdate', maxUnavailable: max } as const
  return planNodeSet(aPicture({ workers, ...more, wanted: { replicas, updateStrategy, ...more.wanted } }))
}

const drains = (plan: Plan): string[] =>
  stepsThat(plan, 'drain')
    .map(({ slurmName }) => slurmName)
    .sort()
const deletions = (plan: Plan): string[] => stepsThat(plan, 'delete-pod').map(({ pod }) => pod)
const condemned = (plan: Plan): string[] =>
  stepsThat(plan, 'patch-pod').flatMap(({ pod, annotations }) => (annotations[CONDEMNED] ? [pod] : []))

/** All marks with which we drained a worker, taken away. */
const unmarked = { [annotationKeys.podCordon]: null, [CORDON_BY]: null, [CONDEMNED]: null }
/** What is patched on which pod, and who is undrained. */
const returns = (plan: Plan): unknown[] => [
  ...stepsThat(plan, 'patch-pod').map(({ pod, annotations }) => [pod, annotations]),
  ...inShort(plan).filter((step) => step.startsWith('undrain')),
]

function drained(pod: string, states = ['IDLE', 'DRAIN']): Partial<Worker> {
  const reason = `${REASON_PREFIX}pod default/${pod} awaits removal (Outdated)`
  const node = aSlurmNode({ name: pod, states, reason, comment: infoFor(pod, `n-${pod}`) })
  return { slurmNode: seen(node, NOW), annotations: ourCordon('Outdated') }
}

describe('rolling update', () => {
  test('NS-337: the outdated one is drained', () => {
    expect(drains(planFor(2, '10%', [aWorker('foo-0'), aWorker('foo-1', old)]))).toEqual(['foo-1'])
  })
  test('NS-338: all are new: nothing happens', () => expect(planFor(2, 1, workersOf([0, 1])).steps).toEqual([]))
  test('NS-339: one that never worked waits for a budget', () => {
    const plan = planFor(2, '10%', [aWorker('foo-0', old), aPendingWorker('foo-1', old)])
    expect(deletions(plan)).toEqual(['foo-1'])
  })
  test('NS-340: one more is drained while a new one is not ready', () => {
    expect(drains(planFor(2, 1, [aWorker('foo-0', notReady), aWorker('foo-1', old)]))).toEqual([])
  })
  test('NS-340: one more is drained while a pod that has failed is replaced, or waits for that', () => {
    const failed = { phase: 'Failed', readySinceMs: undefined, finishedAtMs: NOW, failuresBefore: 3 } as const
    const workers = [aWorker('foo-0', old), aWorker('foo-1', failed), aWorker('foo-2', old)]
    expect(drains(planFor(3, 1, workers))).toEqual(['foo-1'])
    expect(drains(planFor(3, 2, workers))).toEqual(['foo-1', 'foo-2'])
  })
  const three = [aWorker('foo-0', notReady), aPendingWorker('foo-1', old), aWorker('foo-2', old)]
  test('NS-341: a broken outdated one is deleted, the healthy one must wait', () => {
    const plan = planFor(3, 1, three)
    expect([deletions(plan), drains(plan)]).toEqual([['foo-1'], []])
  })
  test('NS-342: with a budget of two the healthy one is drained', () => {
    const plan = planFor(3, 2, three)
    expect([deletions(plan), drains(plan)]).toEqual([['foo-1'], ['foo-2']])
  })
  test('NS-342 and after: it is not deleted before another one is available', () => {
    const after = [aWorker('foo-0', notReady), aWorker('foo-2', { ...old, ...drained('foo-2') })]
    const plan = planFor(3, 2, after)
    expect([deletions(plan), stepsThat(plan, 'undrain')]).toEqual([[], []])
    expect(plan.waits).toMatchObject([{ worker: 'foo-2', reason: 'NotItsTurn' }])
  })
  test('NS-343: one more is drained while one is ending', () => {
    expect(drains(planFor(2, 1, [aWorker('foo-0', { ...old, terminating: true }), aWorker('foo-1', old)]))).toEqual([])
  })
  test('NS-344: a remnant of a scale-in uses up the budget', () => {
    expect(drains(planFor(1, 1, [aWorker('foo-0', old), aWorker('foo-1', { terminating: true })]))).toEqual(['foo-0'])
  })
  test('NS-345: half of four, one is unavailable already', () => {
    expect(drains(planFor(4, '50%', [aWorker('foo-0', notReady), ...workersOf([1, 2, 3], old)]))).toEqual(['foo-3'])
  })
  test('NS-346: nobody is left: all leave by scale-in, none by update', () => {
    const plan = planFor(0, '100%', [aWorker('foo-0', { phase: 'Failed' }), aWorker('foo-1', old)])
    expect(new Set(plan.steps.map(({ reason }) => reason).filter((reason) => reason !== 'StateChanged'))).toEqual(
      new Set(['ScaleIn']),
    )
  })
  test('NS-347: all at once if the user says so', () => {
    expect(drains(planFor(3, '100%', workersOf([0, 1, 2], old)))).toEqual(['foo-0', 'foo-1', 'foo-2'])
  })
  test('NS-348: a quarter of ten is three, the highest numbers first', () => {
    const ten = workersOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], old)
    expect(drains(planFor(10, '25%', ten))).toEqual(['foo-7', 'foo-8', 'foo-9'])
  })
  test('NS-349: minReadySeconds is ignored', () => {
    const workers = [aWorker('foo-0', { readySinceMs: NOW - 10_000 }), ...workersOf([1, 2, 3], old)]
    expect(drains(planFor(4, 1, workers, { wanted: { minReadySeconds: 60 } }))).toEqual([])
  })
  test.each(['abc', '-5%', '0', '00%', 0, -3])('NS-350: %s stops the rollout, or takes all', (max) => {
    expect(drains(planFor(3, max, workersOf([0, 1, 2], old)))).toEqual(['foo-2'])
  })
  test('NS-351, WP-29: the choice moves to one that became idle', () => {
    const busy = { ...old, ...drained('foo-3', ['ALLOCATED', 'DRAIN']), jobs: seen([aJob()], NOW) }
    const plan = planFor(4, 1, [...workersOf([0, 1, 2], old), aWorker('foo-3', busy)])
    expect([drains(plan), stepsThat(plan, 'undrain'), deletions(plan)]).toEqual([[], [], []])
  })
  test('NS-352: a pod that is ending counts neither as old nor as new', () => {
    const plan = planFor(2, 1, [...workersOf([0, 1]), aWorker('foo-2', { ...old, terminating: true })])
    expect(plan.steps).toEqual([])
  })
  test.each([
    ['draining', ['ALLOCATED', 'DRAIN']],
    ['drained', ['IDLE', 'DRAIN']],
  ])(
    'NS-353: the template was taken back, and who is %s for it leaves all the same, or takes no jobs',
    (_how, states) => {
      const plan = planFor(4, 1, [...workersOf([0, 1, 2]), aWorker('foo-3', drained('foo-3', states))])
      expect(returns(plan)).toEqual([['foo-3', unmarked], 'undrain foo-3'])
    },
  )
  test('NS-355: scaled to nothing in the middle of a rollout', () => {
    const plan = planFor(0, 1, [aWorker('foo-0'), ...workersOf([1, 2], old)])
    expect(drains(plan)).toEqual(['foo-0', 'foo-1', 'foo-2'])
    expect(stepsThat(plan, 'create-pod')).toEqual([])
  })
  test('NS-356: who waits for jobs is looked at again soon', () => {
    const plan = planFor(2, 1, [
      aWorker('foo-0'),
      aWorker('foo-1', { ...old, ...drained('foo-1', ['ALLOCATED', 'DRAIN']) }),
    ])
    expect(plan.lookAgainInMs).toBeLessThanOrEqual(30_000)
  })
  test.each([0, 1, '10%'])(
    'NS-357: broken ones wait for each other, or for older ones that work (budget %s)',
    (max) => {
      const broken = { ...old, ...notReady }
      const plan = planFor(3, max, [
        aWorker('foo-0', { ...broken, createdAtMs: NOW - 1000 }),
        aWorker('foo-1', { ...broken, createdAtMs: NOW - 2000 }),
        aWorker('foo-2', { ...old, createdAtMs: NOW - 9000 }),
      ])
      expect([drains(plan), condemned(plan)]).toEqual([
        ['foo-0', 'foo-1'],
        ['foo-0', 'foo-1'],
      ])
    },
  )
  test('deletions of available pods never go below the limit', () => {
    const four = [0, 1, 2, 3].map((n) => aWorker(`foo-${n}`, { ...old, ...drained(`foo-${n}`) }))
    expect(deletions(planFor(4, 2, four)).sort()).toEqual(['foo-2', 'foo-3'])
  })
})

describe('rolling update in DaemonSet mode', () => {
  const daemon = (node: string, differences: Partial<Worker> = {}): Worker =>
    aWorker(`foo-${node}x`, { mode: 'DaemonSet', hostname: node, nodeName: node, ...old, ...differences })
  const nodes = ['a', 'b', 'c', 'd', 'e'].map((name) => aKubeNode(name))
  const wanted: Partial<Wanted> = { scalingMode: 'DaemonSet' }
  test('NS-354, WP-19: the next one goes while the last is still ending', () => {
    const workers = ['a', 'b', 'c', 'd', 'e'].map((name) => daemon(name, { terminating: name === 'a' }))
    expect(drains(planFor(0, 1, workers, { wanted, kubeNodes: nodes }))).toEqual([])
  })
  test('the number of Kube nodes counts, not replicas', () => {
    const workers = ['a', 'b', 'c', 'd', 'e'].map((name) => daemon(name))
    expect(drains(planFor(0, '40%', workers, { wanted, kubeNodes: nodes }))).toHaveLength(2)
  })
  test('a worker on a cordoned Kube node is replaced although no new one could start there', () => {
    const taints = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' as const }]
    const cordoned = nodes.map((node) => (node.name === 'a' ? aKubeNode('a', { taints }) : node))
    const workers = ['a', 'b', 'c', 'd', 'e'].map((name) =>
      daemon(name, name === 'a' ? {} : { revisionHash: 'newhash' }),
    )
    expect(drains(planFor(0, 5, workers, { wanted, kubeNodes: cordoned }))).toEqual([])
  })
})

describe('other strategies', () => {
  const onDelete: Partial<Wanted> = { updateStrategy: { type: 'OnDelete' } }
  const scheduled: Partial<Wanted> = {
    ...{ replicas: 2, finalizers: ['nodeset.slinky.slurm.net/reservation'] },
    updateStrategy: { type: 'ScheduledUpdate', startsAtMs: TOMORROW, durationInMinutes: 30, flags: [] },
  }
  const before = { reservationStartsAtMs: TOMORROW }
  const inWindow = (reservation: string): Partial<Worker> => ({
    slurmNode: slurmSays(['IDLE', 'MAINTENANCE', 'RESERVED'], { reservation, comment: '' }),
  })
  const planOf = (workers: readonly Worker[]): Plan => planNodeSet(aPicture({ workers, wanted: scheduled, before }))

  test('NS-358: OnDelete replaces nobody', () => {
    expect(
      drains(planNodeSet(aPicture({ workers: [aWorker('foo-0'), aWorker('foo-1', old)], wanted: onDelete }))),
    ).toEqual([])
  })
  test('NS-359: OnDelete: a deleted pod comes back with the new template', () => {
    const plan = planNodeSet(aPicture({ workers: [aWorker('foo-0', old)], wanted: onDelete }))
    expect(stepsThat(plan, 'create-pod')).toMatchObject([{ worker: { name: 'foo-1', revisionHash: 'newhash' } }])
  })
  test.each([
    ['NS-360: a reservation is only being made, and workers leave already', absent(NOW), undefined],
    ['NS-361: a reservation exists for tomorrow, and workers leave today', seen(aReservation(), NOW), TOMORROW],
  ] as const)('%s', (_accident, reservation, reservationStartsAtMs) => {
    const workers = workersOf([0, 1], old)
    const plan = planNodeSet(aPicture({ workers, wanted: scheduled, reservation, before: { reservationStartsAtMs } }))
    expect([drains(plan), deletions(plan)]).toEqual([[], []])
    expect(plan.reservationStartsAtMs).toBe(TOMORROW)
  })
  test('NS-362: who is in our window is replaced', () => {
    const plan = planOf([aWorker('foo-0', { ...old, ...inWindow('SlurmOperatorMaint-foo') }), aWorker('foo-1', old)])
    expect(drains(plan)).toEqual(['foo-0'])
  })
  test('who is drained in our window is not deleted, because its record is reserved', () => {
    const reserved = { comment: '', reservation: 'SlurmOperatorMaint-foo', reason: 'slurm-operator: x' }
    const slurmNode = slurmSays(['IDLE', 'DRAIN', 'MAINTENANCE', 'RESERVED'], reserved)
    expect(deletions(planOf([aWorker('foo-0', { ...old, slurmNode }), aWorker('foo-1')]))).toEqual(['foo-0'])
  })
  test('NS-363: who is new already is not', () => {
    expect(drains(planOf([aWorker('foo-0', inWindow('SlurmOperatorMaint-foo')), aWorker('foo-1')]))).toEqual([])
  })
  test('NS-364: somebody else’s maintenance is not our window', () => {
    expect(drains(planOf([aWorker('foo-0', { ...old, ...inWindow('other') }), aWorker('foo-1')]))).toEqual([])
  })
  test('NS-365: all in the window at once', () => {
    expect(
      drains(planOf([0, 1].map((n) => aWorker(`foo-${n}`, { ...old, ...inWindow('SlurmOperatorMaint-foo') })))),
    ).toEqual([...['foo-0', 'foo-1']])
  })
  test('NS-366: a broken outdated one is replaced at any time', () => {
    expect(drains(planOf([aWorker('foo-0', { ...old, ...notReady }), aWorker('foo-1')]))).toEqual(['foo-0'])
  })
  test('NS-367: somebody is chosen because of what Slurm said before it fell silent', () => {
    const { slurmNode } = inWindow('SlurmOperatorMaint-foo')
    const last = slurmNode?.kind === 'seen' ? slurmNode.value : undefined
    const plan = planOf(workersOf([0, 1], { ...old, slurmNode: unknown('unreachable', last) }))
    expect([drains(plan), condemned(plan), deletions(plan)]).toEqual([[], [], []])
  })
  test.each([
    ['draining', ['ALLOCATED', 'DRAIN']],
    ['drained', ['IDLE', 'DRAIN']],
  ])('NS-368, WP-06: the window ended, and who is %s for it leaves all the same, or takes no jobs', (_how, states) => {
    const startsAtMs = NOW - 3600_000
    const over = { updateStrategy: { type: 'ScheduledUpdate', startsAtMs, durationInMinutes: 30, flags: [] } } as const
    const workers = [aWorker('foo-0'), aWorker('foo-1', { ...old, ...drained('foo-1', states) })]
    const plan = planNodeSet(
      aPicture({ workers, wanted: { ...scheduled, ...over }, before: { reservationStartsAtMs: startsAtMs } }),
    )
    expect(returns(plan)).toEqual([['foo-1', unmarked], 'undrain foo-1'])
    expect(deletions(plan)).toEqual([])
  })
})

describe('a template that cannot be built prevents nothing worse', () => {
  test('a spec with a value of the wrong type sends workers away that nobody can replace', () => {
    const template = {
      kind: 'impossible',
      reason: 'InputsUnreadable',
      problem: 'spec.slurmd.image: it is a number',
    } as const
    const workers = [
      aWorker('foo-0', { revisionHash: 'old' }),
      aPendingWorker('foo-1', { revisionHash: 'old' }),
      aWorker('foo-2', { phase: 'Failed', readySinceMs: undefined }),
    ]
    const plan = planNodeSet(aPicture({ template, workers, wanted: { replicas: 3 } }))
    expect(stepsThat(plan, 'drain')).toEqual([])
    expect(stepsThat(plan, 'delete-pod')).toEqual([])
  })
})
