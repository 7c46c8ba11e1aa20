import { annotationKeys } from '@slurm-operator/api'
import { absent, seen, SlurmError, unknown, type SlurmConnection, type SlurmNode } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import {
  aJob,
  aKubeNode,
  aPendingWorker,
  aPicture,
  aSlurmNode,
  aWorker,
  infoFor,
  inShort,
  NOW,
  settledConditions,
  slurmSays,
  stepsThat,
  workersOf,
  type PictureDifferences,
} from './gen.ts'
import { startActing } from './gen-acting.ts'
import type { Worker } from './picture.ts'
import { REGISTRATION } from './picture-keys.ts'
import { findLeftovers } from './picture-pod-info.ts'
import { planNodeSet } from './plan.ts'
import type { Plan } from './steps.ts'

const defunct = (name: string, comment: string): SlurmNode =>
  aSlurmNode({ name, comment, states: ['DOWN', 'NOT_RESPONDING'] })
const note = (differences: object): string =>
  JSON.stringify({
    namespace: 'default',
    podName: 'ds-gone',
    node: 'worker-a',
    nodeSetName: 'foo',
    nodeSetUID: 'u1',
    ...differences,
  })

function prunedOf(record: SlurmNode, more: PictureDifferences = {}): string[] {
  const { wanted, ...rest } = more
  const workers = rest.workers ?? []
  const leftovers = findLeftovers(seen([record], NOW), { namespace: 'default', name: 'foo' }, workers)
  const picture = aPicture({ leftovers, ...rest, wanted: { scalingMode: 'DaemonSet', prunesRecords: true, ...wanted } })
  return stepsThat(planNodeSet(picture), 'prune-record').map(({ slurmName }) => slurmName)
}

const gone = defunct('ghost', note({}))
const host = (override?: string) => [
  aKubeNode('worker-a', override === undefined ? {} : { annotations: { [annotationKeys.hostnameOverride]: override } }),
]

describe('pruning records', () => {
  test('NS-416: nobody learns that a record went, or that of a running pod goes as well', () => {
    const workers = [aWorker('ds-b', { mode: 'DaemonSet', nodeName: 'b', hostname: 'b' })]
    const records = seen([gone, defunct('b', note({ podName: 'ds-b', node: 'b' }))], NOW)
    const leftovers = findLeftovers(records, { namespace: 'default', name: 'foo' }, workers)
    const wanted = { scalingMode: 'DaemonSet', prunesRecords: true } as const
    const plan = planNodeSet(aPicture({ workers, leftovers, kubeNodes: [], wanted }))
    expect(stepsThat(plan, 'prune-record')).toMatchObject([
      { slurmName: 'ghost', event: { type: 'Normal', reason: 'DefunctSlurmNodePruned' } },
    ])
  })
  test('NS-417: not while its Kube node exists', () => {
    expect(prunedOf(defunct('worker-a', note({})), { kubeNodes: host() })).toEqual([])
  })
  test('NS-418: not while its Kube node has this host name', () => {
    expect(prunedOf(defunct('slurm-node-x', note({})), { kubeNodes: host('slurm-node-x') })).toEqual([])
  })
  test('NS-419: when its Kube node has another host name now', () => {
    expect(prunedOf(defunct('stale-name', note({})), { kubeNodes: host('new-name') })).toEqual(['stale-name'])
  })
  test('NS-420: not if nobody asked for it', () =>
    expect(prunedOf(gone, { wanted: { prunesRecords: false } })).toEqual([]))
  test('NS-421, WP-45: in StatefulSet mode as well, once its Kube node is gone', () => {
    const wanted = { scalingMode: 'StatefulSet', replicas: 0 } as const
    expect(prunedOf(gone, { wanted })).toEqual(['ghost'])
    expect(prunedOf(gone, { wanted, kubeNodes: host() })).toEqual([])
  })
  test('NS-422: not one that is only down', () => expect(prunedOf({ ...gone, states: ['DOWN'] })).toEqual([]))
  test('the drain of an administrator goes with a record, and the machine comes back without it', () => {
    const states = [...gone.states, 'DRAIN']
    expect(prunedOf({ ...gone, states, reason: 'broken fan' })).toEqual([])
    expect(prunedOf({ ...gone, states, reason: 'slurm-operator: scale in' })).toEqual(['ghost'])
  })
  test('what an administrator put DOWN, or said to fail, comes back in service with a new record', () => {
    expect(prunedOf({ ...gone, reason: 'broken fan' })).toEqual([])
    expect(prunedOf({ ...gone, states: [...gone.states, 'FAIL'], reason: 'broken fan' })).toEqual([])
    expect(prunedOf({ ...gone, reason: 'Not responding' })).toEqual(['ghost'])
  })
  test('NS-423: not of another NodeSet or namespace', () => {
    expect(prunedOf(defunct('ghost', note({ nodeSetName: 'bar' })))).toEqual([])
    expect(prunedOf(defunct('ghost', note({ namespace: 'x' })))).toEqual([])
  })
  test('NS-423, WP-45: also of a former NodeSet of the same name', () => {
    expect(prunedOf(defunct('ghost', note({ nodeSetUID: 'u0' })))).toEqual(['ghost'])
  })
  test('NS-424: not without a comment', () => expect(prunedOf(defunct('ghost', ''))).toEqual([]))
  test('NS-425: not without a Kube node in it', () =>
    expect(prunedOf(defunct('ghost', note({ node: '' })))).toEqual([]))
  test('NS-426: not while its pod exists', () => {
    const workers = [aWorker('ds-gone', { mode: 'DaemonSet', nodeName: 'b', hostname: 'b' })]
    expect(prunedOf(gone, { workers })).toEqual([])
  })
  test('records stay for as long as any worker is there', () => {
    const workers = [aWorker('ds-b', { mode: 'DaemonSet', nodeName: 'b', hostname: 'b' })]
    expect(prunedOf(gone, { workers })).toEqual(['ghost'])
  })
  test('NS-427: a record that Slurm keeps is taken for deleted, or keeps others, and new workers, from their turn', async () => {
    const { carryOut, requests, told, clock } = startActing()
    const records = [gone, defunct('ghost-2', note({ podName: 'ds-2' }))]
    const slurmList = { nodes: 2, atMs: clock.now(), wholeAtMs: clock.now() }
    const wanted = { prunesRecords: true, replicas: 1 }
    const picture = aPicture({ nowMs: clock.now(), leftovers: seen(records, clock.now()), slurmList, wanted })
    const deleteNode = async (name: string) => {
      if (name === 'ghost') throw new SlurmError('refused', 'DELETE /node/ghost', 'it is reserved')
    }
    const connection = { client: { deleteNode } } as unknown as SlurmConnection
    const results = await carryOut(planNodeSet(picture).steps, { picture, connection })
    expect(results.map(({ kind, step }) => `${kind} ${step.chain}`)).toEqual([
      ...['failed slurm/ghost/record', 'done slurm/ghost-2/record', 'done create/foo-0'],
    ])
    expect(requests('create Pod')).toEqual(['create Pod foo-0'])
    const pruned = { reason: 'DefunctSlurmNodePruned', note: expect.stringContaining('ghost-2') }
    expect(told.filter(({ note: text }) => text.includes('ghost'))).toMatchObject([
      { type: 'Warning', reason: 'SyncFailed', note: expect.stringContaining('it is reserved') },
      pruned,
    ])
  })
  test('nothing is pruned while Slurm is silent', () => {
    const picture = aPicture({
      leftovers: unknown('unreachable', [gone]),
      wanted: { prunesRecords: true, replicas: 0 },
    })
    expect(planNodeSet(picture).steps).toEqual([])
  })
})

describe('workers that Slurm does not know', () => {
  const MINUTE = 60_000
  const missing = (sinceMs: number, differences: Partial<Worker> = {}): Partial<Worker> => ({
    ...{ slurmNode: absent(NOW - sinceMs), conditions: [], ...differences },
  })
  const deleted = (workers: readonly Worker[], more: PictureDifferences = {}): string[] => {
    const { wanted, ...rest } = more
    const slurmList = { nodes: 10, atMs: NOW, wholeAtMs: NOW }
    const plan = planNodeSet(aPicture({ workers, slurmList, ...rest, wanted: { replicas: workers.length, ...wanted } }))
    return stepsThat(plan, 'delete-pod').map(({ pod }) => pod)
  }
  test('NS-428: all are known', () => expect(deleted(workersOf([0, 1]))).toEqual([]))
  test('NS-429: one that is missing for long is replaced', () => {
    const workers = [aWorker('foo-0'), aWorker('foo-1', missing(10 * MINUTE, { readySinceMs: NOW - 10 * MINUTE }))]
    const plan = planNodeSet(aPicture({ workers }))
    expect(stepsThat(plan, 'delete-pod')).toMatchObject([
      { pod: 'foo-1', event: { type: 'Warning', reason: 'SlurmNodeNotRegistered' } },
    ])
  })
  test('NS-430: one that is not running yet is left alone', () => {
    expect(deleted([aWorker('foo-0'), aPendingWorker('foo-1')])).toEqual([])
  })
  test('NS-431: one that is not available yet is left alone', () => {
    const workers = [aWorker('foo-0'), aWorker('foo-1', missing(10 * MINUTE, { readySinceMs: NOW - 10 * MINUTE }))]
    expect(deleted(workers, { wanted: { minReadySeconds: 3600 } })).toEqual([])
  })
  test('NS-432: Slurm is silent: nobody is missing', () => {
    expect(deleted(workersOf([0, 1], { slurmNode: unknown('no-client') }), { slurmList: undefined })).toEqual([])
  })
  describe('but of which it remembers a former slurmd, DOWN and silent', () => {
    const silent = (sinceMs: number) => [
      ...settledConditions(['Down', 'Drain']),
      { type: 'SlurmNodeStateNotResponding', status: 'True', message: '', sinceMs: NOW - sinceMs },
    ]
    const former = (sinceMs: number, differences: Partial<Worker> = {}): Worker[] => {
      const slurmNode = slurmSays(['DOWN', 'DRAIN', 'NOT_RESPONDING'], { slurmdStartedAtMs: NOW - 60 * MINUTE })
      const life = { runningSinceMs: NOW - 30 * MINUTE, readySinceMs: NOW - 29 * MINUTE, slurmNode }
      return [...workersOf([0, 1, 2]), aWorker('foo-3', { ...life, conditions: silent(sinceMs), ...differences })]
    }
    test('they are out of service for ever after slurmctld lost its latest state', () => {
      expect(deleted(former(10 * MINUTE))).toEqual(['foo-3'])
    })
    test('an undrained one waits for a drain that nobody answers', () => {
      const slurmNode = slurmSays(['DOWN', 'NOT_RESPONDING'], { slurmdStartedAtMs: NOW - 60 * MINUTE })
      expect(deleted(former(10 * MINUTE, { slurmNode }))).toEqual(['foo-3'])
    })
    test.each([
      ['has another address', '10.0.0.1', ['foo-3']],
      ['has this address: it will be asked', '10.0.0.9', []],
      ['has a name for an address, which tells nothing', 'foo-3', []],
      ['has an address of another family, which tells nothing', 'fd00::9', []],
    ])('slurmctld has not heard any of them since it began, and the record %s', (_what, address, gone) => {
      const slurmNode = slurmSays(['DOWN', 'DRAIN', 'NOT_RESPONDING'], { slurmdStartedAtMs: undefined, address })
      expect(deleted(former(10 * MINUTE, { slurmNode, podIp: '10.0.0.9' }))).toEqual(gone)
    })
    test('a worker that is about to join is replaced', () => expect(deleted(former(MINUTE))).toEqual([]))
    test('a silence of this very slurmd, which may end, costs its pod', () => {
      expect(deleted(former(10 * MINUTE, { runningSinceMs: NOW - 60 * MINUTE + 2000 }))).toEqual([])
    })
    test('a job that Slurm knows on it is ended', () => {
      expect(deleted(former(10 * MINUTE, { jobs: seen([aJob()], NOW) }))).toEqual([])
    })
    test('a scale-in believes what is said of the former, and ends a job of this one', () => {
      const [worker] = former(MINUTE / 2).slice(-1)
      expect(deleted(worker ? [worker] : [], { wanted: { replicas: 0 } })).toEqual([])
    })
  })
  test('NS-433, WP-30: one empty list deletes all workers', () => {
    const fifty = Array.from({ length: 50 }, (_, n) => aWorker(`foo-${n}`, { slurmNode: absent(NOW - 1000) }))
    expect(deleted(fifty, { slurmList: { nodes: 0, atMs: NOW, wholeAtMs: NOW } })).toEqual([])
  })
  test('WP-30: empty lists for five minutes delete all workers', () => {
    const fifty = Array.from({ length: 50 }, (_, n) => aWorker(`foo-${n}`, { slurmNode: absent(NOW - 5 * MINUTE) }))
    expect(deleted(fifty, { slurmList: { nodes: 0, atMs: NOW, wholeAtMs: NOW } })).toEqual([])
    expect(deleted(fifty, { slurmList: { nodes: 7, atMs: NOW, wholeAtMs: NOW } })).toEqual([])
  })
  test('WP-30: after a loss for good, one at a time', () => {
    const fifty = Array.from({ length: 50 }, (_, n) => aWorker(`foo-${n}`, { slurmNode: absent(NOW - 60 * MINUTE) }))
    expect(deleted(fifty, { slurmList: { nodes: 0, atMs: NOW, wholeAtMs: NOW } })).toHaveLength(1)
  })
  test('NS-434, WP-30: one that has just become ready is deleted', () => {
    expect(deleted([aWorker('foo-0'), aWorker('foo-1', missing(10 * MINUTE, { readySinceMs: NOW - 2000 }))])).toEqual(
      [],
    )
  })
  test('WP-30: never more than maxUnavailable', () => {
    const lost = missing(10 * MINUTE, { readySinceMs: NOW - 10 * MINUTE })
    const workers = [...workersOf([0, 1, 2, 3, 4]), ...[5, 6, 7].map((n) => aWorker(`foo-${n}`, lost))]
    expect(deleted(workers, { wanted: { updateStrategy: { type: 'RollingUpdate', maxUnavailable: 2 } } })).toHaveLength(
      2,
    )
  })
  test('WP-03: one that joined under another name is deleted with its jobs', () => {
    const lost = missing(10 * MINUTE, { joinedAs: 'n1.example.com', readySinceMs: NOW - 10 * MINUTE })
    expect(deleted([aWorker('foo-0'), aWorker('foo-1', lost)])).toEqual([])
  })
})

describe('a slurmd that registers with other values', () => {
  const refused = (comment: string, runsForMs = 3600_000): Plan => {
    const slurmNode = slurmSays(['IDLE', 'DRAIN', 'INVALID_REG'], { reason: 'Low RealMemory', comment })
    const worker = aWorker('foo-0', { slurmNode, runningSinceMs: NOW - runsForMs })
    return planNodeSet(aPicture({ workers: [worker], wanted: { replicas: 1 } }))
  }
  test('WP-44: an old record refuses it for ever', () => {
    expect(inShort(refused(infoFor('foo-0', 'n-foo-0')))).toEqual(['prune-record foo-0', 'delete-pod foo-0'])
  })
  test('a new record refuses it: the spec is wrong, and nothing is restarted in vain', () => {
    expect(inShort(refused('', 60_000)).filter((step) => !step.startsWith('set-'))).toEqual([])
  })
  test('an old record that has lost our note refuses it for ever', () => {
    expect(inShort(refused('', 15 * 60_000))).toEqual(['prune-record foo-0', 'delete-pod foo-0'])
  })
  test('Slurm is asked again and again to delete a record that it keeps for a reservation', () => {
    const states = ['IDLE', 'DRAIN', 'INVALID_REG', 'RESERVED']
    const slurmNode = slurmSays(states, { reason: 'Low RealMemory', comment: infoFor('foo-0', 'n-foo-0') })
    const plan = planNodeSet(aPicture({ workers: [aWorker('foo-0', { slurmNode })], wanted: { replicas: 1 } }))
    expect([stepsThat(plan, 'prune-record'), stepsThat(plan, 'delete-pod')]).toEqual([[], []])
    expect(plan.waits).toMatchObject([{ worker: 'foo-0', reason: 'Reserved' }])
  })
  test('the drain of an administrator goes with the record that refuses it', () => {
    const comment = infoFor('foo-0', 'n-foo-0')
    const slurmNode = slurmSays(['IDLE', 'DRAIN', 'INVALID_REG'], { reason: 'broken fan', comment })
    const worker = aWorker('foo-0', { slurmNode, annotations: { [REGISTRATION]: 'r0' }, revisionHash: 'old' })
    const plan = planNodeSet(aPicture({ workers: [worker], wanted: { replicas: 1 } }))
    expect(stepsThat(plan, 'prune-record')).toEqual([])
  })
  test.each([
    ['broken fan', ['DOWN'], []],
    ['broken fan', ['IDLE', 'FAIL'], []],
    ['', ['IDLE', 'FAIL'], []],
    ['Not responding', ['DOWN'], ['prune-record foo-0']],
  ])('one that never started is updated, and what an administrator said goes with its record: %s %j', (...row) => {
    const [reason, states, pruning] = row
    const record = { reason, slurmdStartedAtMs: NOW - 3600_000, comment: infoFor('foo-0', 'n-foo-0') }
    const worker = aWorker('foo-0', {
      ...{ slurmNode: slurmSays([...states, 'NOT_RESPONDING'], record), annotations: { [REGISTRATION]: 'r0' } },
      ...{ revisionHash: 'old', phase: 'Pending', hasStarted: false, createdAtMs: NOW - 60_000 },
    })
    const plan = planNodeSet(aPicture({ workers: [worker], wanted: { replicas: 1 } }))
    expect(inShort(plan)).toEqual(['delete-pod foo-0', ...pruning])
  })
  test('a spec that was corrected does not help for a quarter of an hour, because the refused record stays', () => {
    const slurmNode = slurmSays(['IDLE', 'DRAIN', 'INVALID_REG'], { reason: 'Low RealMemory', comment: '' })
    const worker = aWorker('foo-0', {
      ...{ slurmNode, annotations: { [REGISTRATION]: 'r0' }, revisionHash: 'old', runningSinceMs: NOW - 60_000 },
    })
    const plan = planNodeSet(aPicture({ workers: [worker], wanted: { replicas: 1 } }))
    expect(inShort(plan)).toEqual(['delete-pod foo-0', 'prune-record foo-0'])
  })
  test('a busy one is waited for', () => {
    const slurmNode = slurmSays(['MIXED', 'DRAIN', 'INVALID_REG'], {
      reason: 'Low',
      comment: infoFor('foo-0', 'n-foo-0'),
    })
    const plan = planNodeSet(aPicture({ workers: [aWorker('foo-0', { slurmNode })], wanted: { replicas: 1 } }))
    expect(stepsThat(plan, 'prune-record')).toEqual([])
  })
  test('WP-44: an update deletes the record between the old pod and the new one', () => {
    const slurmNode = slurmSays(['IDLE', 'DRAIN'], {
      reason: 'slurm-operator: x',
      comment: infoFor('foo-0', 'n-foo-0'),
    })
    const worker = aWorker('foo-0', { slurmNode, revisionHash: 'old', annotations: { [REGISTRATION]: 'r0' } })
    const plan = planNodeSet(aPicture({ workers: [worker], wanted: { replicas: 1 } }))
    expect(inShort(plan)).toEqual(['delete-pod foo-0', 'prune-record foo-0'])
    expect(new Set(plan.steps.map(({ chain }) => chain))).toEqual(new Set(['pod/foo-0'])) // or no record is left to look at
    const ending = planNodeSet(aPicture({ workers: [{ ...worker, terminating: true }], wanted: { replicas: 1 } }))
    expect(inShort(ending)).toEqual(['prune-record foo-0'])
  })
  test('a suspended job loses its node, which Slurm would delete with it there', () => {
    const slurmNode = slurmSays(['IDLE', 'DRAIN'], {
      reason: 'slurm-operator: x',
      comment: infoFor('foo-0', 'n-foo-0'),
    })
    const annotations = { [REGISTRATION]: 'r0' }
    for (const jobs of [seen([aJob({ states: ['SUSPENDED'] })], NOW), unknown<never>('unreachable')]) {
      const stepsFor = (life: Partial<Worker>) => {
        const worker = aWorker('foo-0', { slurmNode, annotations, jobs, revisionHash: 'old', ...life })
        return inShort(planNodeSet(aPicture({ workers: [worker], wanted: { replicas: 1 } })))
      }
      expect(stepsFor({ terminating: true })).toEqual([])
      expect(stepsFor({ phase: 'Failed' })).toEqual(['delete-pod foo-0']) // the kubelet has evicted it
    }
  })
  test('an update that changes nothing of it keeps the record', () => {
    const slurmNode = slurmSays(['IDLE', 'DRAIN'], {
      reason: 'slurm-operator: x',
      comment: infoFor('foo-0', 'n-foo-0'),
    })
    const worker = aWorker('foo-0', { slurmNode, revisionHash: 'old', annotations: { [REGISTRATION]: 'r1' } })
    expect(inShort(planNodeSet(aPicture({ workers: [worker], wanted: { replicas: 1 } })))).toEqual(['delete-pod foo-0'])
  })
})
