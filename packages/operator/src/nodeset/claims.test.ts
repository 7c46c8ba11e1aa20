import type { OwnerReference } from '@slurm-operator/kube'
import { REASON_PREFIX } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { claimName } from './claims.ts'
import {
  aKubeNode,
  aPendingWorker,
  aPicture,
  aWorker,
  inShort,
  ourCordon,
  slurmSays,
  stepsThat,
  workersOf,
  type PictureDifferences,
} from './gen.ts'
import type { Claim, Retention, Wanted, Worker } from './picture.ts'
import { planNodeSet } from './plan.ts'
import type { Plan } from './steps.ts'

const nodeSet: OwnerReference = {
  ...{ apiVersion: 'slinky.slurm.net/v1beta1', kind: 'NodeSet', name: 'foo', uid: 'u1', controller: true },
  blockOwnerDeletion: true,
}
const pod: OwnerReference = { ...nodeSet, apiVersion: 'v1', kind: 'Pod', name: 'foo-0', uid: 'uid-foo-0' }
const foreign: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x' }
const claim = (...ownerReferences: OwnerReference[]): Claim => ({
  name: 'data-foo-0',
  terminating: false,
  ownerReferences,
})

function planFor(policy: [Retention, Retention], one: Claim, more: PictureDifferences = {}): Plan {
  const [whenDeleted, whenScaled] = policy
  const { wanted, ...rest } = more
  const base: Partial<Wanted> = { replicas: 1, claimTemplates: ['data'], whenDeleted, whenScaled, ...wanted }
  return planNodeSet(aPicture({ workers: workersOf([0]), claims: [one], ...rest, wanted: base }))
}

const owners = (plan: Plan): unknown => stepsThat(plan, 'own-pvc')[0]?.ownerReferences
const victim: PictureDifferences = {
  wanted: { replicas: 0 },
  workers: [
    aWorker('foo-0', {
      annotations: ourCordon('ScaleIn'),
      slurmNode: slurmSays(['IDLE', 'DRAIN'], { reason: `${REASON_PREFIX}x` }),
    }),
  ],
}

describe('names', () => {
  test('NS-192: by number', () => {
    expect(claimName('data', 'foo', { ordinalText: '01', hostname: 'foo-01' })).toBe('data-foo-01')
  })
  test('NS-193: by host name', () => {
    expect(claimName('data', 'foo', { ordinalText: undefined, hostname: 'node-1' })).toBe('data-foo-node-1')
  })
  test('WP-48: a changed padding makes claims of existing workers look missing', () => {
    expect(planFor(['Retain', 'Retain'], claim(), { wanted: { ordinalPadding: 3 } }).steps).toEqual([])
  })
})

describe('making claims', () => {
  const creating = (claims: Claim[]): Plan =>
    planNodeSet(aPicture({ claims, wanted: { replicas: 1, claimTemplates: ['data'] } }))
  test('NS-191, NS-194: a new pod names the claims it needs and which exist', () => {
    expect(stepsThat(creating([]), 'create-pod')[0]?.worker.claims).toMatchObject([
      { name: 'data-foo-0', exists: false },
    ])
    expect(stepsThat(creating([claim()]), 'create-pod')[0]?.worker.claims).toMatchObject([{ exists: true }])
  })
  test('NS-195, WP-59: a claim that is being deleted is waited for', () => {
    const plan = creating([{ ...claim(), terminating: true }])
    expect(plan.steps).toEqual([])
    expect(plan.waits).toMatchObject([{ worker: 'foo-0', reason: 'ClaimTerminating' }])
  })
  test('WP-59: a claim that the garbage collector will take is not used again', () => {
    expect(creating([claim({ ...pod, uid: 'former' })]).waits).toMatchObject([{ reason: 'ClaimTerminating' }])
  })
  test('a missing claim of a running worker is made', () => {
    const plan = planNodeSet(aPicture({ workers: workersOf([0]), wanted: { replicas: 1, claimTemplates: ['data'] } }))
    expect(inShort(plan)).toEqual(['create-pvc foo-0'])
  })
})

describe('who owns a claim', () => {
  test('NS-199: nobody', () => expect(owners(planFor(['Retain', 'Retain'], claim(nodeSet)))).toEqual([]))
  test('NS-200: the NodeSet', () => expect(owners(planFor(['Delete', 'Retain'], claim()))).toEqual([nodeSet]))
  test('NS-201: nobody while its worker stays', () => {
    expect(planFor(['Retain', 'Delete'], claim()).steps).toEqual([])
  })
  test('NS-202: its pod, before that is deleted because there are too many', () => {
    const plan = planFor(['Retain', 'Delete'], claim(), victim)
    expect(owners(plan)).toEqual([pod])
    expect(inShort(plan)).toEqual(['own-pvc data-foo-0', 'delete-pod foo-0'])
    expect(new Set(plan.steps.map(({ chain }) => chain))).toEqual(new Set(['pod/foo-0']))
  })
  test('NS-203: the NodeSet, then its pod', () => {
    expect(owners(planFor(['Delete', 'Delete'], claim()))).toEqual([nodeSet])
    expect(owners(planFor(['Delete', 'Delete'], claim(nodeSet), victim))).toEqual([pod])
  })
  test('NS-204, WP-07: data is lost because the Kube node was cordoned', () => {
    const kubeNodes = [aKubeNode('n-foo-0', { unschedulable: true })]
    expect(stepsThat(planFor(['Retain', 'Delete'], claim(), { kubeNodes }), 'own-pvc')).toEqual([])
  })
  test('NS-205, WP-07: data is lost in a rolling update', () => {
    const [one] = victim.workers ?? []
    const workers: Worker[] =
      one === undefined ? [] : [{ ...one, revisionHash: 'old', annotations: ourCordon('Outdated') }]
    const plan = planFor(['Retain', 'Delete'], claim(), { workers })
    expect(inShort(plan)).toEqual(['delete-pod foo-0'])
  })
  test('NS-206, WP-08: the claim of a worker that never joined is left behind', () => {
    const more = { wanted: { replicas: 0 }, workers: [aPendingWorker('foo-0')] }
    expect(inShort(planFor(['Retain', 'Delete'], claim(), more))).toEqual(['own-pvc data-foo-0', 'delete-pod foo-0'])
  })
  test('WP-07: a reprieved worker loses its data when somebody deletes its pod', () => {
    expect(owners(planFor(['Retain', 'Delete'], claim(pod)))).toEqual([])
  })
  test('NS-207: one of a former NodeSet of the same name is not touched', () => {
    expect(planFor(['Delete', 'Delete'], claim({ ...nodeSet, uid: 'u0' })).steps).toEqual([])
  })
  test('NS-208: somebody else decides about it', () => {
    const plan = planFor(['Delete', 'Retain'], claim({ ...foreign, controller: true }, { ...pod, controller: false }))
    expect(owners(plan)).toEqual([{ ...foreign, controller: true }])
    const told = { reason: 'ConflictingController', event: 'ConflictingController', needsPerson: true }
    expect(plan.problems).toMatchObject([told])
  })
  test('the claim of another pod is taken for one of a former life', () => {
    const other = { ...pod, name: 'somebody', uid: 'other' }
    const plan = planFor(['Delete', 'Retain'], claim(other))
    expect([owners(plan), plan.problems]).toMatchObject([undefined, [{ reason: 'ConflictingController' }]])
  })
  test('NS-209: somebody else decides about it, and we want nothing', () => {
    const plan = planFor(['Retain', 'Retain'], claim({ ...foreign, controller: true }))
    expect([plan.steps, plan.problems]).toEqual([[], []])
  })
  test('NS-210: our reference without control', () => {
    expect(owners(planFor(['Delete', 'Retain'], claim({ ...nodeSet, controller: false })))).toEqual([nodeSet])
  })
  test('NS-211: other owners stay', () => {
    expect(owners(planFor(['Delete', 'Retain'], claim(foreign)))).toEqual([foreign, nodeSet])
  })
  test('NS-212: a claim that is not there is no obstacle', () => {
    const more: PictureDifferences = { ...victim, claims: [] }
    expect(inShort(planFor(['Retain', 'Delete'], claim(), more))).toEqual(['delete-pod foo-0'])
  })
})
