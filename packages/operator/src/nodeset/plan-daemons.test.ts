import { annotationKeys } from '@slurm-operator/api'
import type { Taint } from '@slurm-operator/kube'
import { absent, REASON_PREFIX } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import {
  aKubeNode,
  aPendingWorker,
  aPicture,
  aPlacement,
  aWorker,
  inShort,
  NOW,
  slurmSays,
  stepsThat,
  workersOf,
  type PictureDifferences,
} from './gen.ts'
import type { KubeNode, Placement, Worker } from './picture.ts'
import { judgePlace } from './placement.ts'
import { planNodeSet } from './plan.ts'
import { buildNodeSetStatus } from './status.ts'
import type { Plan } from './steps.ts'

const gpuOnly: Placement = aPlacement({ nodeSelector: { gpu: 'yes' } })
const daemon = (node: string, differences: Partial<Worker> = {}): Worker =>
  aWorker(`ds-${node}`, { mode: 'DaemonSet', hostname: node, nodeName: node, ...differences })

function planFor(nodes: readonly KubeNode[], workers: readonly Worker[], more: PictureDifferences = {}): Plan {
  const { wanted, ...rest } = more
  return planNodeSet(aPicture({ workers, kubeNodes: nodes, wanted: { scalingMode: 'DaemonSet', ...wanted }, ...rest }))
}

const built = (placement: Placement): PictureDifferences => ({ template: { kind: 'built', placement } })
const created = (plan: Plan): unknown[] =>
  stepsThat(plan, 'create-pod').map(({ worker }) => [worker.node, worker.hostname])
const condemned = (plan: Plan): string[] => plan.waits.map(({ worker }) => worker).filter(Boolean)
const taint = (key: string, effect: Taint['effect']): Pick<KubeNode, 'taints'> => ({ taints: [{ key, effect }] })

describe('one worker on every Kube node that fits', () => {
  test('NS-305: a Kube node without one gets one', () =>
    expect(created(planFor([aKubeNode('n1')], []))).toEqual([['n1', 'n1']]))
  test('NS-306: one with one is left alone', () => {
    const plan = planFor([aKubeNode('n1')], [daemon('n1')])
    expect(stepsThat(plan, 'create-pod').length + stepsThat(plan, 'delete-pod').length).toBe(0)
    expect(plan.waits).toEqual([])
  })
  test('NS-307: who is on a Kube node that does not match any more leaves', () => {
    expect(condemned(planFor([aKubeNode('n1')], [daemon('n1')], built(gpuOnly)))).toEqual(['ds-n1'])
  })
  test('NS-308: a Kube node that does not match gets none', () => {
    const plan = planFor([aKubeNode('n1')], [], built(gpuOnly))
    expect([plan.steps, plan.desired]).toEqual([[], 0])
  })
  test('NS-311: a taint against new pods does not send anybody away', () => {
    const tainted = [
      aKubeNode('n1', taint('maintenance', 'NoSchedule')),
      aKubeNode('n2', taint('maintenance', 'NoSchedule')),
    ]
    const plan = planFor(tainted, [daemon('n1')])
    expect([condemned(plan), created(plan)]).toEqual([[], []])
  })
  test('NS-312: a taint against running pods does', () => {
    expect(condemned(planFor([aKubeNode('n1', taint('bad', 'NoExecute'))], [daemon('n1')]))).toEqual(['ds-n1'])
  })
  test('a Kube node that is not ready for a moment loses its worker', () => {
    const shaky = aKubeNode('n1', taint('node.kubernetes.io/not-ready', 'NoExecute'))
    expect(condemned(planFor([shaky], [daemon('n1')]))).toEqual([])
  })
  test('WP-20: a cordoned Kube node vanishes from the wanted number without a word', () => {
    const cordoned = aKubeNode('n1', {
      unschedulable: true,
      ...taint('node.kubernetes.io/unschedulable', 'NoSchedule'),
    })
    const plan = planFor([cordoned], [])
    expect([plan.desired, created(plan)]).toEqual([1, []])
    expect(plan.waits).toMatchObject([{ reason: 'KubeNodeNotReady' }])
  })
  test('NS-323: no more than 250 in one pass', () => {
    const many = Array.from({ length: 300 }, (_, index) => aKubeNode(`n${index}`))
    expect(created(planFor(many, []))).toHaveLength(250)
  })
  test('NS-324: replicas do not matter', () => {
    expect(planFor([aKubeNode('n1')], [daemon('n1')], { wanted: { replicas: 7 } }).desired).toBe(1)
  })
})

describe('pods in the way', () => {
  test('NS-314: a failed one is replaced, and later each time', () => {
    const failed = { phase: 'Failed', finishedAtMs: NOW - 100 } as const
    const first = planFor([aKubeNode('n1')], [daemon('n1', failed)])
    expect(stepsThat(first, 'delete-pod')).toMatchObject([{ event: { type: 'Warning', reason: 'FailedDaemonPod' } }])
    const again = planFor([aKubeNode('n1')], [daemon('n1', { ...failed, failuresBefore: 1 })])
    expect(stepsThat(again, 'delete-pod')).toEqual([])
    expect(again.lookAgainInMs).toBe(900)
  })
  test('NS-315: one that ended is replaced', () => {
    const plan = planFor([aKubeNode('n1')], [daemon('n1', { phase: 'Succeeded' })])
    expect(stepsThat(plan, 'delete-pod')).toMatchObject([{ event: { type: 'Normal', reason: 'SucceededDaemonPod' } }])
  })
  test('NS-316: one that failed and is ending does not hold the place', () => {
    expect(created(planFor([aKubeNode('n1')], [daemon('n1', { phase: 'Failed', terminating: true })]))).toEqual([
      ['n1', 'n1'],
    ])
  })
  test('NS-317: one that runs and is ending does', () => {
    expect(created(planFor([aKubeNode('n1')], [daemon('n1', { terminating: true })]))).toEqual([])
  })
  test('NS-318, WP-17: of two on one Kube node the older one is deleted', () => {
    const older = daemon('n1', { createdAtMs: NOW - 9_000_000, readySinceMs: NOW - 9_000_000 })
    const newer = aWorker('ds-new', {
      ...daemon('n1'),
      pod: 'ds-new',
      uid: 'new',
      readySinceMs: NOW - 1000,
      createdAtMs: NOW - 2000,
    })
    expect(condemned(planFor([aKubeNode('n1')], [older, newer]))).toEqual(['ds-new'])
  })
  test('NS-319, NS-320: the host name of a Kube node changes, and back', () => {
    const renamed = aKubeNode('n1', { annotations: { [annotationKeys.hostnameOverride]: 'x1' } })
    expect(planFor([renamed], [daemon('n1')]).steps).toMatchObject([
      { do: 'patch-pod', reason: 'HostnameMismatch', event: { type: 'Normal', reason: 'HostnameMismatch' } },
      ...[{ do: 'drain' }, { do: 'update-slurm-node' }].slice(0, 1),
    ])
    expect(created(planFor([renamed], []))).toEqual([['n1', 'x1']])
    expect(condemned(planFor([aKubeNode('n1')], [daemon('n1', { hostname: 'x1' })]))).toEqual(['ds-n1'])
  })
  test('NS-321, WP-18: a pod for a Kube node that is gone waits for ever', () => {
    const lost = aPendingWorker('ds-x', { mode: 'DaemonSet', nodeName: '', targetNode: 'n7' })
    expect(inShort(planFor([], [lost]))).toEqual(['delete-pod ds-x'])
  })
  test.each([
    ['could not be read', 'InputsUnreadable'],
    ['is missing for a moment', 'ControllerNotFound'],
  ] as const)('NS-322, WP-04: all workers leave because the Controller %s, or nobody learns it', (_how, reason) => {
    const template = { kind: 'impossible', reason, problem: 'no answer' } as const
    const nodes = ['a', 'b', 'c', 'd', 'e'].map((name) => aKubeNode(name))
    const plan = planFor(
      nodes,
      nodes.map(({ name }) => daemon(name)),
      { template },
    )
    expect([condemned(plan), plan.steps]).toEqual([[], []])
    const { conditions } = buildNodeSetStatus(aPicture({ template }), plan)
    const stalled = { type: 'Stalled', status: 'True', reason, message: 'no answer' }
    expect(conditions).toContainEqual(expect.objectContaining(stalled))
  })
  test('WP-50: two Kube nodes whose workers would have one name in Slurm', () => {
    const plan = planFor([aKubeNode('n1.a'), aKubeNode('n1.b')], [])
    expect(created(plan)).toEqual([['n1.a', 'n1']])
    expect(plan.problems).toMatchObject([{ reason: 'HostnameTaken', needsPerson: true }])
  })
  test('WP-50: a worker gets a second of its name, because the new Kube node comes first in the alphabet', () => {
    const worker = daemon('n1.b', { hostname: 'n1', slurmName: 'n1' })
    const plan = planFor([aKubeNode('n1.a'), aKubeNode('n1.b')], [worker])
    expect([created(plan), condemned(plan)]).toEqual([[], []])
    expect(plan.problems).toMatchObject([
      { reason: 'HostnameTaken', because: expect.stringContaining('only n1.b gets a worker') },
    ])
  })
  test('WP-50: no worker is updated, because a Kube node that gets none for its name counts as missing', () => {
    const outdated = { revisionHash: 'old' }
    const nodes = ['n1.a', 'n1.b', 'n2', 'n3'].map((name) => aKubeNode(name))
    const workers = [daemon('n1.a', { hostname: 'n1', ...outdated }), daemon('n2', outdated), daemon('n3', outdated)]
    const wanted = { updateStrategy: { type: 'RollingUpdate', maxUnavailable: 1 } } as const
    expect(condemned(planFor(nodes, workers, { wanted }))).toHaveLength(1)
  })
  test('WP-50: a worker gets a second of its name while it still leaves another Kube node', () => {
    const leaving = daemon('n1.a', { hostname: 'n1', slurmName: 'n1' })
    const plan = planFor([aKubeNode('n1.a', taint('bad', 'NoExecute')), aKubeNode('n1.b')], [leaving])
    expect([created(plan), condemned(plan)]).toEqual([[], ['n1.b', 'ds-n1.a']])
    expect(plan.waits).toContainEqual(expect.objectContaining({ worker: 'n1.b', reason: 'NameTaken' }))
    expect(created(planFor([aKubeNode('n1.b')], []))).toEqual([['n1.b', 'n1']])
  })
})

describe('the scaling mode changes', () => {
  const drainedReason = `${REASON_PREFIX}pod default/foo-0 awaits removal (ScalingModeChanged)`
  test('NS-325: daemons come first, then the numbered ones leave', () => {
    const nodes = [aKubeNode('n1'), aKubeNode('n2')]
    const numbered = workersOf([0, 1], { nodeName: 'n1', targetNode: 'n1' })
    const first = planFor(nodes, numbered)
    expect([created(first), stepsThat(first, 'drain')]).toEqual([
      [
        ['n1', 'n1'],
        ['n2', 'n2'],
      ],
      [],
    ])
    const second = planFor(nodes, [...numbered, daemon('n1'), daemon('n2')])
    expect(stepsThat(second, 'drain').map(({ slurmName }) => slurmName)).toEqual(['foo-0', 'foo-1'])
  })
  test('NS-326: numbered ones come first, then the daemons leave', () => {
    const daemons = [daemon('n1'), daemon('n2')]
    const first = planNodeSet(aPicture({ workers: daemons }))
    expect(inShort(first).filter((step) => !step.startsWith('set-'))).toEqual(['create-pod foo-0', 'create-pod foo-1'])
    const second = planNodeSet(aPicture({ workers: [...daemons, ...workersOf([0, 1])] }))
    expect(stepsThat(second, 'drain').map(({ slurmName }) => slurmName)).toEqual(['n1', 'n2'])
  })
  test('NS-335: who is drained is deleted', () => {
    const drained = { mode: 'StatefulSet', slurmNode: slurmSays(['IDLE', 'DRAIN'], { reason: drainedReason }) } as const
    const plan = planFor([], [aWorker('foo-0', drained)])
    expect(inShort(plan)).toContain('delete-pod foo-0')
  })
  test('NS-099, WP-34: an adopted pod without labels and annotations crashes the pass', () => {
    const bare = { ...aWorker('foo-5'), mode: undefined, labels: {}, annotations: {}, isOrphan: true }
    const plan = planNodeSet(aPicture({ workers: [...workersOf([0, 1]), bare] }))
    expect(inShort(plan)).toEqual(expect.arrayContaining(['adopt-pod foo-5', 'drain foo-5']))
  })
})

describe('may a worker run there', () => {
  const on = (node: KubeNode, placement: Placement): unknown[] => {
    const { mayStart, mayStay } = judgePlace(placement, node)
    return [mayStart, mayStay]
  }
  const requiring = (key: string): Placement =>
    aPlacement({ requiredNodes: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }] } })
  test('NS-309: required affinity', () => {
    expect(on(aKubeNode('n1', { labels: { gpu: '' } }), requiring('gpu'))).toEqual([true, true])
    expect(on(aKubeNode('n1'), requiring('gpu'))).toEqual([false, false])
  })
  test('NS-310: unschedulable alone says nothing', () => {
    expect(on(aKubeNode('n1', { unschedulable: true }), aPlacement())).toEqual([true, true])
  })
  test('NS-313: the taint for workers is tolerated', () => {
    const key = 'nodeset.slinky.slurm.net/worker'
    const tolerations = [{ key, operator: 'Equal', value: '', effect: 'NoExecute' }] as const
    expect(on(aKubeNode('n1', taint(key, 'NoExecute')), aPlacement({ tolerations }))).toEqual([true, true])
  })
  test.each([
    [{ key: 'k', operator: 'Exists' }, true],
    [{ operator: 'Exists' }, true],
    [{ key: 'k', operator: 'Equal', value: 'other' }, false],
    [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoExecute' }, false],
    [{ key: 'k', value: 'v' }, true],
  ] as const)('toleration %j', (toleration, tolerated) => {
    const node = aKubeNode('n1', { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] })
    expect(judgePlace(aPlacement({ tolerations: [toleration] }), node).mayStart).toBe(tolerated)
  })
  test.each([
    [[{ key: 'n', operator: 'Gt', values: ['3'] }], true],
    [[{ key: 'n', operator: 'Lt', values: ['3'] }], false],
    [[{ key: 'n', operator: 'NotIn', values: ['4'] }], true],
    [[{ key: 'n', operator: 'DoesNotExist' }], false],
    [[], false],
  ] as const)('term %j', (matchExpressions, fits) => {
    const requiredNodes = { nodeSelectorTerms: [{ matchExpressions }] }
    expect(judgePlace(aPlacement({ requiredNodes }), aKubeNode('n1', { labels: { n: '5' } })).mayStart).toBe(fits)
  })
  test.each([
    ['n1', true],
    ['n2', false],
  ])('a term about labels and about the name %s', (name, fits) => {
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: [name] }] as const
    const term = { matchExpressions: [{ key: 'gpu', operator: 'Exists' }], matchFields } as const
    const placement = aPlacement({ requiredNodes: { nodeSelectorTerms: [term] } })
    expect(judgePlace(placement, aKubeNode('n1', { labels: { gpu: '' } })).mayStart).toBe(fits)
  })
})

test('a worker on a Kube node that is gone leaves by the usual way', () => {
  const plan = planFor([], [daemon('n1', { slurmNode: absent(NOW - 600_000) })])
  expect(inShort(plan)).toContain('delete-pod ds-n1')
})
