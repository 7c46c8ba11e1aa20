import { absent, seen, unknown } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import {
  aKubeNode,
  aPendingWorker,
  aPicture,
  aReservation,
  aWorker,
  infoFor,
  NOW,
  settledConditions,
  slurmSays,
  TOMORROW,
  workersOf,
  type PictureDifferences,
} from './gen.ts'
import type { Picture, Worker } from './picture.ts'
import { planNodeSet } from './plan.ts'
import { buildNodeSetStatus, type NodeSetStatusWish } from './status.ts'

const statusOf = (differences: PictureDifferences): NodeSetStatusWish => {
  const picture = aPicture(differences)
  return buildNodeSetStatus(picture, planNodeSet(picture))
}
const lineOf = (status: NodeSetStatusWish, wanted: string) => status.conditions.find(({ type }) => type === wanted)
const down = (pod: string, states: string[]): Worker =>
  aWorker(pod, { slurmNode: slurmSays(states, { name: pod, comment: infoFor(pod, `n-${pod}`) }) })

describe('Slurm nodes that take no jobs', () => {
  const shows = (worker: Worker): unknown => {
    const { conditions } = statusOf({ workers: [aWorker('foo-0'), worker], before: { conditions: [wasReady] } })
    return Object.fromEntries(conditions.slice(0, 3).map(({ type, status }) => [type, status]))
  }
  const wasReady = { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '' } as const
  const ready = (worker: Worker) => lineOf(statusOf({ workers: [aWorker('foo-0'), worker] }), 'Ready')
  const with1 = (states: string[], reason: string, differences: Partial<Worker> = {}): Worker =>
    aWorker('foo-1', {
      slurmNode: slurmSays(states, { name: 'foo-1', reason, comment: infoFor('foo-1', 'n-foo-1') }),
      ...differences,
    })

  test.each([
    ['DOWN', ['DOWN', 'DYNAMIC_NORM'], 'no memory'],
    ['DOWN', ['DOWN', 'DRAIN'], 'disk'],
    ['FAIL', ['IDLE', 'FAIL'], 'fan'],
    ['FAIL', ['DOWN', 'FAIL', 'NOT_RESPONDING'], 'Not responding'],
    ['ERROR', ['ERROR'], 'board'],
    ['INVALID_REG', ['IDLE', 'DRAIN', 'INVALID_REG'], 'broken fan'],
  ])('a NodeSet is Ready with a node that is %s %j', (word, states, reason) => {
    const message = `foo-1 is ${word} in Slurm: ${reason}`
    expect(ready(with1(states, reason))).toMatchObject({ status: 'False', reason: 'SlurmNodeDown', message })
    expect(shows(with1(states, reason))).toEqual({ Ready: 'False', Reconciling: 'False', Stalled: 'True' })
  })
  test.each([
    ['that slurmctld gave up', ['DOWN', 'NOT_RESPONDING'], 'Not responding'],
    ['that we left DOWN', ['DOWN'], 'slurm-operator: pod default/foo-1 has ended'],
    ['that Slurm refused before', ['DOWN', 'DYNAMIC_NORM'], 'Low RealMemory'],
    ['that Slurm refuses', ['IDLE', 'DRAIN', 'INVALID_REG'], 'Low CPUs'],
  ])('a NodeSet is Ready with a node %s, or a person is called for what mends itself', (_name, states, reason) => {
    const worker = aWorker('foo-1', {
      runningSinceMs: NOW - 1000,
      slurmNode: slurmSays(states, { name: 'foo-1', reason }),
    })
    expect(shows(worker)).toEqual({ Ready: 'False', Reconciling: 'True', Stalled: 'False' })
    expect(lineOf(statusOf({ workers: [aWorker('foo-0'), worker] }), 'Ready')).toMatchObject({
      reason: 'SlurmNodeUnusable',
      message: expect.stringContaining(reason) as string,
    })
  })
  test('a short silence of slurmd is an alarm, or a long one is none', () => {
    const silentFor = (ms: number): Worker =>
      with1(['IDLE', 'NOT_RESPONDING'], '', {
        conditions: [
          ...settledConditions(['Idle']),
          { type: 'SlurmNodeStateNotResponding', status: 'True', message: '', sinceMs: NOW - ms },
        ],
      })
    expect(ready(silentFor(60_000))?.status).toBe('True')
    expect(ready(silentFor(120_000))).toMatchObject({
      ...{ status: 'Unknown', reason: 'SlurmNodeUnusable', message: 'foo-1 is NOT_RESPONDING in Slurm' },
    })
  })
  test('a drain by hand makes a NodeSet look broken, or is not mentioned at all', () => {
    expect(ready(with1(['IDLE', 'DRAIN'], 'bad disk'))).toMatchObject({
      status: 'True',
      message: '2 workers are as wanted; foo-1 is drained: bad disk',
    })
  })
  test('of many only one is named, and the one that needs a person first', () => {
    const workers = [
      down('foo-0', ['DOWN', 'NOT_RESPONDING']),
      with1(['DOWN'], 'disk'),
      down('foo-2', ['FAIL', 'IDLE']),
    ]
    expect(lineOf(statusOf({ workers, wanted: { replicas: 3 } }), 'Ready')).toMatchObject({
      ...{ reason: 'SlurmNodeDown', message: 'foo-1 is DOWN in Slurm: disk; 2 others are out of service too' },
    })
  })
  test('a node that was DOWN when Slurm fell silent looks well again', () => {
    const last = slurmSays(['DOWN'], { reason: 'disk' })
    const silent = unknown('unreachable', last.kind === 'seen' ? last.value : undefined)
    const noted = { type: 'SlurmNodeStateDown', status: 'True', message: 'disk' }
    const reasonOf = (worker: Worker) =>
      lineOf(statusOf({ workers: [aWorker('foo-0'), worker], slurmList: undefined }), 'Ready')?.reason
    expect(reasonOf(aWorker('foo-1', { slurmNode: silent }))).toBe('SlurmNodeDown')
    expect(reasonOf(aWorker('foo-1', { slurmNode: unknown('no-client'), conditions: [noted] }))).toBe(
      'SlurmNodeUnusable',
    )
  })
})

describe('a pod on a Kube node without power', () => {
  const lost = { ...aKubeNode('n1'), conditions: [{ type: 'Ready', status: 'Unknown', reason: '', message: '' }] }
  const ending = (pod: string) => aWorker(pod, { terminating: true, nodeName: 'n1' })
  const words = /foo-1 cannot end, because Kube node n1 is not ready/
  test('holds a name for ever, and nobody learns why', () => {
    const { fields } = statusOf({ workers: [aWorker('foo-0'), ending('foo-1')], kubeNodes: [lost] })
    expect(fields['waiting']).toMatchObject([
      { name: 'foo-1', reason: 'NameTaken', message: expect.stringMatching(words) },
    ])
  })
  test('that nobody wants any more ends never, and nobody learns which one', () => {
    const workers = [...workersOf([2, 3]), ending('foo-1')]
    const kubeNodes = [lost, aKubeNode('n-foo-2'), aKubeNode('n-foo-3')]
    const { message } = lineOf(statusOf({ workers, kubeNodes, wanted: { replicas: 2 } }), 'Ready') ?? {}
    expect(message).toMatch(/^1 pod is still ending; foo-1 cannot end/)
  })
})

describe('workers that find no Kube node', () => {
  const words = '0/3 nodes are available: 3 Insufficient cpu.'
  const homeless = (pod: string, sinceMs: number): Worker =>
    aPendingWorker(pod, {
      ...{ nodeName: '', createdAtMs: NOW - sinceMs },
      conditions: [{ type: 'PodScheduled', status: 'False', message: words }],
    })
  test('people are told a number and have to look for the words of the scheduler', () => {
    const workers = [aWorker('foo-0'), homeless('foo-10', 30_000), homeless('foo-2', 30_000)]
    expect(lineOf(statusOf({ workers, wanted: { replicas: 3 } }), 'Reconciling')).toMatchObject({
      ...{ status: 'True', reason: 'Starting' },
      message: `1 of 3 workers are available; pod foo-2 (and 1 more) finds no Kube node: ${words}`,
    })
  })
  test('nobody is called when it lasts', () => {
    const workers = [aWorker('foo-0'), homeless('foo-1', 300_000)]
    expect(lineOf(statusOf({ workers }), 'Stalled')).toMatchObject({
      ...{ status: 'True', reason: 'Unschedulable' },
      message: `1 of 2 workers are available; pod foo-1 finds no Kube node: ${words}`,
    })
  })
  test('who has a place is not blamed', () => {
    const workers = [aWorker('foo-0'), { ...homeless('foo-1', 300_000), nodeName: 'n1' }]
    expect(lineOf(statusOf({ workers }), 'Ready')).toMatchObject({ message: '1 of 2 workers are available' })
  })
})

describe('workers that a scheduled update has not reached', () => {
  const readyOf = (reservation: Picture['reservation'], madeForMs?: number, revisionHash = 'old') =>
    lineOf(
      statusOf({
        workers: [aWorker('foo-0', { revisionHash }), ...workersOf([1, 2])],
        ...{ reservation, before: { reservationStartsAtMs: madeForMs } },
        wanted: {
          ...{ replicas: 3, finalizers: ['nodeset.slinky.slurm.net/reservation'] },
          updateStrategy: { type: 'ScheduledUpdate', startsAtMs: TOMORROW, durationInMinutes: 30, flags: [] },
        },
      }),
      'Ready',
    )
  const who = '1 of 3 workers has an old template'
  const ours = aReservation({ nodes: 'foo-[0-2]' })
  test.each([
    ['nobody learns when its time comes', seen(ours, NOW), 'the window begins at 2026-11-17T02:00:00Z'],
    ['a window that is only being made has passed', absent(NOW), 'the window begins at 2026-11-17T02:00:00Z'],
    [
      'a window that comes again is told as of the first time',
      seen({ ...ours, flags: [...ours.flags, 'DAILY'], startsAtMs: TOMORROW + 24 * 3600_000 }, NOW),
      'the window begins at 2026-11-18T02:00:00Z',
    ],
    ['a window that is open is still to come', seen({ ...ours, startsAtMs: NOW - 1000 }, NOW), 'the window is open'],
  ])('%s', (_name, reservation, when) => {
    const madeForMs = reservation.kind === 'seen' ? TOMORROW : undefined
    expect(readyOf(reservation, madeForMs)).toMatchObject({ status: 'True', message: `${who}; ${when}` })
  })
  test('they wait for ever for a window that has passed, and are said to be as wanted', () => {
    const message = `${who}; the window has passed: set another startTime to update them`
    expect(readyOf(absent(NOW), TOMORROW)).toMatchObject({ status: 'True', message })
  })
  test('those that it has reached are said to be old', () => {
    const message = '3 workers are as wanted'
    expect(readyOf(absent(NOW), TOMORROW, aWorker('foo-1').revisionHash)).toMatchObject({ message })
  })
})
