import { annotationKeys } from '@slurm-operator/api'
import { REASON_PREFIX, seen, unknown } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import {
  aJob,
  aPicture,
  aSlurmNode,
  aWorker,
  infoFor,
  inShort,
  NOW,
  ourCordon,
  stepsThat,
  workersOf,
  type PictureDifferences,
} from './gen.ts'
import type { Worker } from './picture.ts'
import { planNodeSet } from './plan.ts'
import { slowStart } from './plan-slow-start.ts'
import type { Plan } from './steps.ts'

function planFor(replicas: number, workers: readonly Worker[], more: PictureDifferences = {}): Plan {
  const plan = planNodeSet(aPicture({ workers, ...more, wanted: { replicas, ...more.wanted } }))
  return { ...plan, steps: plan.steps.filter((step) => step.do !== 'set-pod-conditions') }
}

function drainedFor(pod: string, reason: string): Partial<Worker> {
  const text = `${REASON_PREFIX}pod default/${pod} awaits removal (${reason})`
  const node = aSlurmNode({ name: pod, states: ['IDLE', 'DRAIN'], reason: text, comment: infoFor(pod, `n-${pod}`) })
  return { slurmNode: seen(node, NOW), annotations: ourCordon(reason) }
}

function busy(pod: string): Partial<Worker> {
  const node = aSlurmNode({ name: pod, states: ['ALLOCATED'], comment: infoFor(pod, `n-${pod}`) })
  return { slurmNode: seen(node, NOW), jobs: seen([aJob()], NOW) }
}

describe('scale out', () => {
  test('NS-259: the first workers are made', () => {
    const plan = planFor(2, [])
    expect(inShort(plan)).toEqual(['create-pod foo-0', 'create-pod foo-1'])
    expect(plan.steps[0]?.event).toEqual({ type: 'Normal', reason: 'ScalingUp' })
  })
  test('NS-260: gaps stay open', () => {
    expect(inShort(planFor(4, workersOf([0, 2])))).toEqual(['create-pod foo-1', 'create-pod foo-3'])
  })
  test('a name is used that a pod of somebody else has', () => {
    const plan = planNodeSet(aPicture({ wanted: { replicas: 2 }, othersPods: new Set(['foo-0']) }))
    expect([inShort(plan), plan.waits]).toMatchObject([
      ['create-pod foo-1'],
      [{ worker: 'foo-0', reason: 'NameTaken' }],
    ])
  })
  test('NS-261: a name is used while its former pod is still ending', () => {
    const plan = planFor(2, [aWorker('foo-0', { terminating: true }), aWorker('foo-1')])
    expect(plan.steps).toEqual([])
    expect(plan.waits).toMatchObject([{ worker: 'foo-0', reason: 'NameTaken' }])
  })
  test('a remnant of an earlier scale-in delays a scale-out', () => {
    const plan = planFor(3, [...workersOf([0, 1]), aWorker('foo-7', { terminating: true })])
    expect(inShort(plan)).toEqual(['create-pod foo-2'])
  })
  test('NS-262: without a Controller nothing is made, and that is said', () => {
    const template = {
      kind: 'impossible',
      reason: 'ControllerNotFound',
      problem: 'Controller slurm does not exist',
    } as const
    const plan = planFor(2, [], { template })
    expect(plan.steps).toEqual([])
    expect(plan.problems).toMatchObject([{ reason: 'ControllerNotFound', event: 'ControllerRefFailed' }])
  })
  test('NS-263: no more than 250 in one pass', () => {
    expect(stepsThat(planFor(600, []), 'create-pod')).toHaveLength(250)
    expect(stepsThat(planFor(2_000_000_000, []), 'create-pod')).toHaveLength(250)
  })
  test('NS-107: batches double', () => expect(slowStart(10)).toEqual([1, 2, 4, 3]))
  test('NS-266: those that stay come back to service before others are made', () => {
    const kept = [0, 1].map((ordinal) => aWorker(`foo-${ordinal}`, drainedFor(`foo-${ordinal}`, 'ScaleIn')))
    const steps = inShort(planFor(4, kept))
    expect(steps).toEqual([
      ...['patch-pod foo-0', 'undrain foo-0', 'patch-pod foo-1', 'undrain foo-1'],
      ...['create-pod foo-2', 'create-pod foo-3'],
    ])
  })
  test('WP-27: missing workers are not made while Slurm is silent', () => {
    const workers = [aWorker('foo-0', { slurmNode: unknown('unreachable') })]
    const silent = { slurmList: undefined, leftovers: unknown<never>('unreachable') }
    expect(inShort(planFor(2, workers, silent))).toEqual(['create-pod foo-1'])
  })
})

describe('names and host names', () => {
  const made = (wanted: PictureDifferences['wanted'], workers: readonly Worker[] = []): unknown =>
    stepsThat(planFor(1, workers, wanted ? { wanted } : {}), 'create-pod')[0]?.worker
  test('NS-112: plain', () => {
    expect(made({})).toMatchObject({ name: 'foo-0', hostname: 'foo-0', ordinalText: '0' })
  })
  test('NS-115: with a prefix for host names', () => {
    const plan = planFor(5, workersOf([0, 1, 2, 3]), { wanted: { hostnamePrefix: 'gpu-' } })
    expect(stepsThat(plan, 'create-pod')[0]?.worker).toMatchObject({ name: 'foo-4', hostname: 'gpu-4' })
  })
  test('NS-116: with prefix and padding', () => {
    expect(made({ hostnamePrefix: 'gpu', ordinalPadding: 2 })).toMatchObject({ name: 'foo-00', hostname: 'gpu00' })
  })
  test('NS-192: claims are padded as the name is', () => {
    const worker = made({ ordinalPadding: 2, claimTemplates: ['data'] }) as { claims: { name: string }[] }
    expect(worker.claims).toMatchObject([{ template: 'data', name: 'data-foo-00', exists: false }])
  })
  test('NS-130: the new pod carries the hash of the newest template', () => {
    expect(made({})).toMatchObject({ revisionHash: 'newhash' })
  })
})

describe('scale in', () => {
  test('NS-267: the surplus is drained before anything is deleted', () => {
    const plan = planFor(1, workersOf([0, 1, 2]))
    expect(inShort(plan).sort()).toEqual(['drain foo-1', 'drain foo-2', 'patch-pod foo-1', 'patch-pod foo-2'])
    expect(plan.lookAgainInMs).toBeLessThanOrEqual(30_000)
    expect(plan.waits.map(({ worker, reason }) => [worker, reason])).toEqual([
      ['foo-2', 'NotDrained'],
      ['foo-1', 'NotDrained'],
    ])
  })
  test('NS-268: the surplus is deleted once Slurm says it is drained', () => {
    const workers = [aWorker('foo-0'), ...[1, 2].map((n) => aWorker(`foo-${n}`, drainedFor(`foo-${n}`, 'ScaleIn')))]
    expect(inShort(planFor(1, workers)).sort()).toEqual(['delete-pod foo-1', 'delete-pod foo-2'])
  })
  test('NS-269: a scale-in that was taken back leaves workers drained', () => {
    const workers = [aWorker('foo-0'), ...[1, 2].map((n) => aWorker(`foo-${n}`, drainedFor(`foo-${n}`, 'ScaleIn')))]
    expect(inShort(planFor(3, workers))).toEqual([
      ...['patch-pod foo-1', 'undrain foo-1', 'patch-pod foo-2', 'undrain foo-2'],
    ])
  })
  test('NS-270: busy workers are deleted when all must go', () => {
    const plan = planFor(
      0,
      [0, 1, 2].map((n) => aWorker(`foo-${n}`, busy(`foo-${n}`))),
    )
    expect(stepsThat(plan, 'drain')).toHaveLength(3)
    expect(stepsThat(plan, 'delete-pod')).toEqual([])
  })
  test('NS-271: as many as wanted: nothing happens', () => expect(planFor(2, workersOf([0, 1])).steps).toEqual([]))
  test('NS-272, WP-28: a pod deleted by hand takes a healthy one with it', () => {
    expect(planFor(2, [aWorker('foo-0', { terminating: true }), ...workersOf([1, 2])]).steps).toEqual([])
  })
  test('NS-273, WP-56: scale-in and update drain and undrain the same workers in turn', () => {
    const old = [0, 1, 2].map((n) => aWorker(`foo-${n}`, { ...busy(`foo-${n}`), revisionHash: 'old' }))
    const more = { wanted: { updateStrategy: { type: 'RollingUpdate', maxUnavailable: 2 } } } as const
    const first = planFor(2, old, more)
    expect(
      stepsThat(first, 'drain')
        .map(({ slurmName }) => slurmName)
        .sort(),
    ).toEqual(['foo-0', 'foo-1', 'foo-2'])
    const marked = old.map((worker) => {
      const patch = stepsThat(first, 'patch-pod').find(({ pod }) => pod === worker.pod)?.annotations ?? {}
      const drain = stepsThat(first, 'drain').find(({ slurmName }) => slurmName === worker.pod)
      const node = worker.slurmNode.kind === 'seen' ? worker.slurmNode.value : aSlurmNode()
      const slurmNode = seen({ ...node, states: ['ALLOCATED', 'DRAIN'], reason: drain?.drainReason ?? '' }, NOW)
      return { ...worker, annotations: patch as Record<string, string>, slurmNode }
    })
    const second = planFor(2, marked, more)
    expect([...stepsThat(second, 'drain'), ...stepsThat(second, 'undrain')]).toEqual([])
  })
  test('WP-29: a condemned worker is exchanged for one whose job ends earlier', () => {
    const late = { [annotationKeys.podDeadline]: '2026-11-17T00:00:00Z' }
    const workers = [
      aWorker('foo-0', { ...busy('foo-0'), annotations: { ...late, ...ourCordon('ScaleIn') } }),
      aWorker('foo-1', { ...busy('foo-1') }),
    ]
    const plan = planFor(1, workers)
    expect(stepsThat(plan, 'drain').map(({ slurmName }) => slurmName)).toEqual(['foo-0'])
  })
})
