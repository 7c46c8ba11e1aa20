import { annotationKeys } from '@slurm-operator/api'
import { absent, seen, unknown } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import {
  aPendingWorker,
  aPicture,
  aSlurmNode,
  aWorker,
  infoFor,
  inShort,
  NOW,
  ourCordon,
  slurmSays,
  stepsThat,
  workersOf,
} from './gen.ts'
import { planNodeSet } from './plan.ts'

describe('a NodeSet at rest', () => {
  test('NS-327: none wanted, none there', () => {
    expect(planNodeSet(aPicture({ wanted: { replicas: 0 } })).steps).toEqual([])
  })
  test('NS-328, NS-271: all as wanted', () => {
    const plan = planNodeSet(aPicture({ workers: workersOf([0, 1]) }))
    expect([plan.steps, plan.waits, plan.problems]).toEqual([[], [], []])
  })
  test('NS-329, NS-330: a pod that has ended is deleted, and made again later', () => {
    for (const phase of ['Failed', 'Succeeded'] as const) {
      const plan = planNodeSet(aPicture({ workers: [aWorker('foo-0'), aWorker('foo-1', { phase })] }))
      expect(inShort(plan)).toEqual(['delete-pod foo-1'])
    }
    expect(inShort(planNodeSet(aPicture({ workers: workersOf([0]) })))).toEqual(['create-pod foo-1'])
  })
  test('NS-331: a pod that has ended and is going is left alone', () => {
    const workers = [aWorker('foo-0'), aWorker('foo-1', { phase: 'Failed', terminating: true })]
    expect(planNodeSet(aPicture({ workers })).steps).toEqual([])
  })
  test('NS-332: a pod that waits for a place is left alone', () => {
    expect(planNodeSet(aPicture({ workers: [aWorker('foo-0'), aPendingWorker('foo-1')] })).steps).toEqual([])
  })
  test('NS-336: one worker that nobody can tell about does not hold the others', () => {
    const old = { mode: 'DaemonSet' } as const
    const workers = [
      ...workersOf([0, 1]),
      aWorker('foo-xa', { ...old, slurmNode: unknown('unreadable') }),
      aWorker('foo-xb', {
        ...old,
        slurmNode: slurmSays(['IDLE', 'DRAIN'], { name: 'foo-xb', reason: 'slurm-operator: x' }),
      }),
    ]
    expect(stepsThat(planNodeSet(aPicture({ workers })), 'delete-pod').map(({ pod }) => pod)).toEqual(['foo-xb'])
  })
  test('NS-289: the update takes its share from who leaves anyway, or touches more than those that stay', () => {
    const old = { revisionHash: 'old' }
    const cheap = { ...old, annotations: { [annotationKeys.podDeletionCost]: '-10' } }
    const daemon = aWorker('foo-x', { ...old, mode: 'DaemonSet' }) // leaves, and is none of those that are counted
    const workers = [aWorker('foo-0', old), aWorker('foo-1', cheap), daemon, aWorker('foo-2', old)]
    expect(
      stepsThat(planNodeSet(aPicture({ workers })), 'drain').map(({ slurmName, reason }) => [slurmName, reason]),
    ).toEqual([
      ['foo-1', 'ScaleIn'],
      ['foo-x', 'ScalingModeChanged'],
      ['foo-2', 'Outdated'],
    ])
  })
  test('NS-289: those that stay are looked after in another order because one among them leaves', () => {
    const busy = { slurmNode: slurmSays(['MIXED']) }
    const workers = [aWorker('foo-2', busy), aWorker('foo-1', { phase: 'Failed' }), aWorker('foo-0', busy)]
    const plan = planNodeSet(aPicture({ workers, wanted: { replicas: 3 } }))
    expect(stepsThat(plan, 'patch-pod').map(({ pod }) => pod)).toEqual(['foo-2', 'foo-0'])
    expect(stepsThat(plan, 'delete-pod').map(({ pod }) => pod)).toEqual(['foo-1'])
  })
  test('a template that nobody can read is recorded, or one that only waits for its Controller is not', () => {
    const revisions = { existing: [], wantedJson: '{"spec":{}}' }
    const template = { kind: 'impossible', reason: 'InputsUnreadable', problem: 'spec.slurmd.image: x' } as const
    const recorded = (picture: Parameters<typeof aPicture>[0]) =>
      stepsThat(planNodeSet(aPicture({ ...picture, revisions })), 'create-revision').length
    const noController = { kind: 'impossible', reason: 'ControllerNotFound', problem: 'x' } as const
    expect([recorded({ template }), recorded({}), recorded({ template: noController })]).toEqual([0, 1, 1])
  })
  test('shared objects that are missing, changed or not wanted any more are put in order', () => {
    const shared = [
      { what: 'worker-service', state: 'missing' },
      { what: 'disruption-budget', state: 'different' },
      { what: 'ssh-config', state: 'unwanted' },
    ] as const
    const steps = planNodeSet(aPicture({ workers: workersOf([0, 1]), shared })).steps
    expect(steps).toMatchObject([
      { do: 'apply-shared', what: 'worker-service' },
      { do: 'apply-shared', what: 'disruption-budget' },
      { do: 'delete-shared', what: 'ssh-config' },
    ])
  })
  test('NS-097: a pod whose labels were edited away is let go', () => {
    const plan = planNodeSet(aPicture({ workers: workersOf([0, 1]), strayPods: [{ pod: 'foo-9', uid: 'x' }] }))
    expect(inShort(plan)).toEqual(['release-pod foo-9'])
  })
})

describe('accidents', () => {
  test('a container that has run and waits to be restarted is taken for one that never started', () => {
    const crashed = aPendingWorker('foo-0', { hasStarted: true, wasReady: true, slurmNode: unknown('no-client') })
    const plan = planNodeSet(aPicture({ workers: [crashed], wanted: { replicas: 0 }, slurmList: undefined }))
    expect(stepsThat(plan, 'delete-pod')).toEqual([])
  })
  test('a node that Slurm refuses is resumed again and again', () => {
    const slurmNode = slurmSays(['IDLE', 'DRAIN', 'INVALID_REG'], { reason: '', comment: '' })
    const plan = planNodeSet(aPicture({ workers: [aWorker('foo-0', { slurmNode })], wanted: { replicas: 1 } }))
    expect([...stepsThat(plan, 'undrain'), ...stepsThat(plan, 'resume')]).toEqual([])
  })
  test('data is lost in a scale-in although the policy is to keep it', () => {
    const drained = aWorker('foo-0', { slurmNode: slurmSays(['IDLE', 'DRAIN'], { reason: 'slurm-operator: x' }) })
    const claims = [{ name: 'data-foo-0', terminating: false, ownerReferences: [] }]
    const wanted = { replicas: 0, claimTemplates: ['data'], whenScaled: 'Retain' } as const
    expect(inShort(planNodeSet(aPicture({ workers: [drained], claims, wanted })))).toEqual(['delete-pod foo-0'])
  })
  test('WP-30: the only worker of an empty Slurm cluster is restarted every two minutes', () => {
    const lost = { slurmNode: absent(NOW - 5 * 60_000), conditions: [], readySinceMs: NOW - 5 * 60_000 }
    const slurmList = { nodes: 0, atMs: NOW, wholeAtMs: NOW }
    const plan = planNodeSet(aPicture({ workers: [aWorker('foo-0', lost)], slurmList, wanted: { replicas: 1 } }))
    expect(plan.steps).toEqual([])
    expect(plan.waits).toMatchObject([{ worker: 'foo-0', reason: 'NotRegistered' }])
  })
  test('an administrator’s drain is forgotten when the worker is replaced and comes back', () => {
    const record = aSlurmNode({ states: ['IDLE', 'DRAIN'], reason: 'bad disk', comment: infoFor('foo-0', 'n-foo-0') })
    const plan = planNodeSet(
      aPicture({ workers: [aWorker('foo-0', { slurmNode: seen(record, NOW) })], wanted: { replicas: 1 } }),
    )
    expect(stepsThat(plan, 'undrain')).toEqual([])
  })
  test('the since of a condemnation starts anew with every other reason', () => {
    const workers = [aWorker('foo-0', { annotations: ourCordon('Outdated') })]
    const plan = planNodeSet(aPicture({ workers, wanted: { replicas: 0 } }))
    const mark = stepsThat(plan, 'patch-pod')[0]?.annotations['nodeset.slinky.slurm.net/pod-condemned']
    expect(mark).toBe('ScaleIn 2026-11-16T01:59:00Z')
  })
})
