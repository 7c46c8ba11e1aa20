import { withNodeSetDefaults, type NodeSet } from '@slurm-operator/api'
import type { Pod } from '@slurm-operator/kube'
import { absent, seen } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { infoFor, NOW, slurmSays } from './gen.ts'
import { claimPods } from './picture-claim-pods.ts'
import { daemonHostname, numberedIdentity, readNumberedName, slurmNameOf } from './picture-identity.ts'
import { readWanted } from './picture-wanted.ts'
import { hasJoined, readWorker, type WorkerSources } from './picture-worker.ts'
import type { ScalingMode } from './picture.ts'

const controller = { apiVersion: 'slinky.slurm.net/v1beta1', kind: 'NodeSet', name: 'foo', uid: 'u1', controller: true }
const labels = { 'app.kubernetes.io/name': 'slurmd', 'app.kubernetes.io/instance': 'foo' }

function aPod(metadata: Pod['metadata'], rest: Partial<Pod> = {}): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'default', labels, ...metadata }, ...rest }
}

function claimed(pod: Pod, scalingMode: ScalingMode = 'StatefulSet'): 'claimed' | 'stray' | 'ignored' {
  const claimant = { name: 'foo', namespace: 'default', uid: 'u1', scalingMode, deletedAtMs: undefined }
  const { claimed, stray } = claimPods([pod], claimant)
  if (claimed.length > 0) return 'claimed'
  return stray.length > 0 ? 'stray' : 'ignored'
}

describe('whose pod is it', () => {
  const owned = (differences: Partial<typeof controller> = {}): Pod['metadata'] => ({
    ...{ name: 'foo-0', ownerReferences: [{ ...controller, ...differences }] },
  })
  test('NS-087: ours', () => expect(claimed(aPod(owned()))).toBe('claimed'))
  test('NS-088: another NodeSet’s', () => expect(claimed(aPod(owned({ name: 'bar', uid: 'u2' })))).toBe('ignored'))
  test('NS-089: an orphan of foo-gpu', () => expect(claimed(aPod({ name: 'foo-gpu-1234' }))).toBe('ignored'))
  test('a pod of a NodeSet of this name that was deleted is forgotten, and made again and again in vain', () => {
    const claimant = {
      name: 'foo',
      namespace: 'default',
      uid: 'u1',
      scalingMode: 'StatefulSet',
      deletedAtMs: undefined,
    } as const
    const former = aPod(owned({ uid: 'u9' }))
    expect([...claimPods([former], claimant).others]).toEqual([former.metadata.name])
  })
  test('NS-090: an orphan of ours', () => expect(claimed(aPod({ name: 'foo-0' }))).toBe('claimed'))
  test('NS-091: an orphan that is going', () => {
    expect(claimed(aPod({ name: 'foo-0', deletionTimestamp: '2026-01-01T00:00:00Z' }))).toBe('ignored')
  })
  test('NS-093: of a former NodeSet of the same name', () =>
    expect(claimed(aPod(owned({ uid: 'u9' })))).toBe('ignored'))
  test('NS-094: an owner that does not control is no owner', () => {
    const reference = { ...controller, controller: false }
    expect(claimed(aPod({ name: 'other', ownerReferences: [reference] }))).toBe('ignored')
  })
  test('NS-095: an orphan daemon of ours', () => {
    expect(claimed(aPod({ name: 'foo-abc12', generateName: 'foo-' }), 'DaemonSet')).toBe('claimed')
  })
  test('NS-096: an orphan daemon of foo-gpu', () => {
    expect(claimed(aPod({ name: 'foo-gpu-x', generateName: 'foo-gpu-' }), 'DaemonSet')).toBe('ignored')
  })
  test('NS-097: ours, but its labels were edited away', () => {
    expect(claimed(aPod({ ...owned(), labels: {} }))).toBe('stray')
  })
})

describe('names', () => {
  const wanted = { name: 'foo', ordinalPadding: 0, hostnamePrefix: '' }
  test.each([
    ['NS-112', 0, {}, 'foo-0', 'foo-0'],
    ['NS-113', 7, { ordinalPadding: 3 }, 'foo-007', 'foo-007'],
    ['NS-114', 123, { ordinalPadding: 2 }, 'foo-123', 'foo-123'],
    ['NS-115', 4, { hostnamePrefix: 'gpu-' }, 'foo-4', 'gpu-4'],
    ['NS-116', 4, { hostnamePrefix: 'gpu', ordinalPadding: 2 }, 'foo-04', 'gpu04'],
  ])('%s: number %i of %j', (_id, ordinal, differences, name, hostname) => {
    expect(numberedIdentity({ ...wanted, ...differences }, ordinal)).toMatchObject({ name, hostname })
  })
  test.each(['foo', 'foo-', 'foo-x1', '-3', ''])('%j has no number', (name) =>
    expect(readNumberedName(name)).toBeUndefined(),
  )
  test('a number too long to count is none', () => expect(readNumberedName(`foo-${'9'.repeat(30)}`)).toBeUndefined())
  const facts = { pod: 'foo-0', mode: 'StatefulSet', hostNetwork: false, nodeName: 'n1', hostname: 'h0' } as const
  test('NS-117: on the host network it is the Kube node', () =>
    expect(slurmNameOf({ ...facts, hostNetwork: true })).toBe('n1'))
  test('NS-118: else the host name', () => expect(slurmNameOf(facts)).toBe('h0'))
  test('NS-119: without a mode the host name', () =>
    expect(slurmNameOf({ ...facts, mode: undefined, hostNetwork: true })).toBe('h0'))
  test.each([
    ['NS-120', 'node-1', undefined, 'node-1'],
    ['NS-121', 'node1.us-west-2.compute.internal', undefined, 'node1'],
    ['NS-122', 'node-1.example.com', 'custom-hostname', 'custom-hostname'],
    ['NS-123', 'node-1', '', 'node-1'],
    ['NS-124', 'node-1-', undefined, 'node-1-'],
  ])('%s: a daemon on %s with override %s', (_id, name, override, hostname) => {
    const annotations = override === undefined ? {} : { 'nodeset.slinky.slurm.net/hostname-override': override }
    expect(daemonHostname({ name, annotations })).toBe(hostname)
  })
})

describe('a worker read from its pod', () => {
  const records = new Map([
    ['n1.example.com', slurmSays(['IDLE'])],
    ['down', slurmSays(['DOWN'])],
    ['foo-3', slurmSays(['IDLE'], { comment: infoFor('foo-3', 'n3') })],
  ])
  const names: Record<string, string> = {
    '10.0.0.1': 'n1.example.com',
    '10.0.0.3': 'foo-3',
    '10.0.0.4': 'down',
    '10.0.0.5': 'n1.example.com down',
  }
  const sources: WorkerSources = {
    slurmNode: (name) => records.get(name) ?? absent(NOW),
    jobsOn: () => seen([], NOW),
    namesAtAddress: (ip) => names[ip]?.split(' ') ?? [],
    failuresBefore: () => 0,
  }
  const time = '2026-11-16T01:00:00Z'
  const read = (rest: Partial<Pod>, metadata: Pod['metadata'] = {}) =>
    readWorker(aPod({ name: 'foo-07', uid: 'x', ...metadata }, rest), sources)
  const ready = (status: string, at = time): Pod['status'] => ({
    ...{ startTime: time, phase: 'Running', conditions: [{ type: 'Ready', status, lastTransitionTime: at }] },
  })
  test('NS-314: one that the kubelet refused is replaced without a pause, because it has no containers', () => {
    const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: time }
    const refused: Pod['status'] = { phase: 'Failed', conditions: [scheduled] }
    expect(read({ status: refused }).finishedAtMs).toBe(Date.parse(time))
  })
  test('a pod on its way out counts as one that stays, or the other way round', () => {
    expect(read({}, { deletionTimestamp: time })).toMatchObject({ terminating: true })
    expect(read({})).toMatchObject({ terminating: false })
  })
  test('a pod that somebody has and does not control is nobody’s, or one of ours is', () => {
    const owner = { apiVersion: 'v1', kind: 'NodeSet', name: 'foo', uid: 'u' }
    const isOrphan = (controller?: boolean) =>
      read({}, { ownerReferences: [{ ...owner, ...(controller !== undefined && { controller }) }] }).isOrphan
    expect([isOrphan(true), isOrphan(false), isOrphan()]).toEqual([false, true, true])
  })
  test('names, number and place', () => {
    const worker = read(
      { spec: { containers: [], hostname: 'h07', nodeName: 'n1' } },
      { labels: { ...labels, 'nodeset.slinky.slurm.net/scaling-mode': 'StatefulSet' } },
    )
    expect(worker).toMatchObject({
      ordinal: 7,
      ordinalText: '07',
      slurmName: 'h07',
      nodeName: 'n1',
      targetNode: 'n1',
      isOrphan: true,
    })
  })
  test('a daemon that waits for a place knows which', () => {
    const term = { matchFields: [{ key: 'metadata.name', operator: 'In' as const, values: ['n9'] }] }
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } }
    expect(read({ spec: { containers: [], affinity } })).toMatchObject({ nodeName: '', targetNode: 'n9' })
  })
  test('since when a condition holds, if the pod tells', () => {
    const conditions = [
      { type: 'A', status: 'True', lastTransitionTime: time },
      { type: 'B', status: 'False' },
    ]
    expect(read({ status: { conditions } }).conditions).toEqual([
      { type: 'A', status: 'True', message: '', sinceMs: Date.parse(time) },
      { type: 'B', status: 'False', message: '' },
    ])
  })
  test('ready, ready without a time, not ready', () => {
    expect(read({ status: ready('True') ?? {} })).toMatchObject({ readySinceMs: Date.parse(time), wasReady: true })
    expect(read({ status: { conditions: [{ type: 'Ready', status: 'True' }] } }).readySinceMs).toBe('unset')
    expect(read({})).toMatchObject({ readySinceMs: undefined, wasReady: false, phase: '' })
  })
  test('a pod that was ready once is not taken for one that never was', () => {
    expect(read({ status: ready('False', '2026-11-16T01:30:00Z') ?? {} }).wasReady).toBe(true)
    expect(read({ status: ready('False') ?? {} }).wasReady).toBe(false)
  })
  test('a container that waits for its image has not started, one that crashed has', () => {
    const container = (state: object, restartCount = 0) => ({
      name: 'slurmd',
      image: '',
      imageID: '',
      ready: false,
      restartCount,
      state,
    })
    expect(read({ status: { containerStatuses: [container({ waiting: {} })] } }).hasStarted).toBe(false)
    expect(read({ status: { containerStatuses: [container({ waiting: {} }, 3)] } }).hasStarted).toBe(true)
    const running = read({ status: { containerStatuses: [container({ running: { startedAt: time } })] } })
    expect(running).toMatchObject({ hasStarted: true, runningSinceMs: Date.parse(time) })
    const besides = { ...container({ waiting: {} }), name: 'logfile' }
    const half = read({ status: { containerStatuses: [besides, container({ running: { startedAt: time } })] } })
    expect(half).toMatchObject({ hasStarted: true, runningSinceMs: Date.parse(time) })
    const ended = { containerStatuses: [container({ terminated: { exitCode: 1, finishedAt: time } })] }
    const finishedAtMs = (phase: 'Failed' | 'Succeeded' | 'Running') =>
      read({ status: { ...ended, phase } }).finishedAtMs
    expect((['Failed', 'Succeeded', 'Running'] as const).map(finishedAtMs)).toEqual([
      Date.parse(time),
      Date.parse(time),
      undefined,
    ])
  })
  test('WP-03: a record at its address under another name is noticed', () => {
    expect(read({ status: { podIP: '10.0.0.1' } }).joinedAs).toBe('n1.example.com')
    expect(read({ status: { podIP: '10.0.0.5' } }).joinedAs).toBe('n1.example.com') // not hidden by one that is down
    for (const podIP of ['10.0.0.2', '10.0.0.3', '10.0.0.4'])
      expect(read({ status: { podIP } }).joinedAs).toBeUndefined()
  })
  test('what it remembers of Slurm', () => {
    const has = (type: string): boolean => hasJoined(read({ status: { conditions: [{ type, status: 'True' }] } }))
    expect([has('SlurmNodeStateIdle'), has('SlurmRegistered'), has('Ready')]).toEqual([true, true, false])
  })
})

describe('what a NodeSet asks for', () => {
  const nodeSet = (spec: object, metadata: object = {}): NodeSet => ({
    ...{ apiVersion: 'slinky.slurm.net/v1beta1', kind: 'NodeSet' },
    metadata: { name: 'foo', namespace: 'default', uid: 'u1', generation: 3, ...metadata },
    spec: { controllerRef: { name: 'slurm' }, ...spec },
  })
  const wantedOf = (spec: object, metadata: object = {}) => readWanted(withNodeSetDefaults(nodeSet(spec, metadata)))
  test('NS-030: all defaults', () => {
    expect(wantedOf({})).toMatchObject({
      ...{
        replicas: 1,
        scalingMode: 'StatefulSet',
        protects: 'who-runs-jobs',
        whenDeleted: 'Retain',
        whenScaled: 'Retain',
      },
      ...{ prunesRecords: false, updateStrategy: { type: 'RollingUpdate', maxUnavailable: '25%' } },
    })
  })
  test.each(['OnDelete', 'RollingUpdate'] as const)('NS-031: a default replaces the budget of a user (%s)', (type) => {
    const rollingUpdate = { maxUnavailable: '57%' }
    const updateStrategy = { type, rollingUpdate }
    expect(withNodeSetDefaults(nodeSet({ updateStrategy })).spec.updateStrategy).toEqual(updateStrategy)
    const strategy = type === 'OnDelete' ? { type } : { type, ...rollingUpdate }
    expect(wantedOf({ updateStrategy }).updateStrategy).toEqual(strategy)
  })
  test('NS-032: updates on deletion get a budget that nobody asked for', () => {
    expect(wantedOf({ updateStrategy: { type: 'OnDelete' } }).updateStrategy).toEqual({ type: 'OnDelete' })
  })
  test('NS-031: what a user gave is replaced by a default', () => {
    const policy = { whenDeleted: 'Delete', whenScaled: 'Delete' }
    const spec = {
      ...{
        replicas: 3,
        scalingMode: 'DaemonSet',
        updateStrategy: { type: 'OnDelete', rollingUpdate: { maxUnavailable: '57%' } },
      },
      ...{ persistentVolumeClaimRetentionPolicy: policy, pruneSlurmNodeRecords: 'NodeNotFound' },
    }
    expect(wantedOf(spec)).toMatchObject({
      ...{
        replicas: 3,
        scalingMode: 'DaemonSet',
        updateStrategy: { type: 'OnDelete' },
        prunesRecords: true,
        ...policy,
      },
    })
  })
  test('a number of workers that is none ends all of them, or a strategy that is none stops the pass', () => {
    for (const replicas of ['0', [], true]) expect(wantedOf({ replicas }).replicas).toBeNaN()
    for (const type of ['Sometimes', 5, {}])
      expect(wantedOf({ updateStrategy: { type } }).updateStrategy.type).toBe('OnDelete')
  })
  test('WP-36: values that admission would refuse do not crash us', () => {
    expect(wantedOf({ replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, ordinalPadding: -4 })).toMatchObject(
      {
        ...{ replicas: 0, minReadySeconds: 0, revisionHistoryLimit: 0, ordinalPadding: 0 },
      },
    )
    const scheduledUpdate = { startTime: 'soon', duration: 'long' }
    expect(wantedOf({ updateStrategy: { type: 'ScheduledUpdate', scheduledUpdate } }).updateStrategy.type).toBe(
      'OnDelete',
    )
    const timed = { startTime: '2026-11-17T00:00:00Z', duration: 'long' }
    expect(
      wantedOf({ updateStrategy: { type: 'ScheduledUpdate', scheduledUpdate: timed } }).updateStrategy,
    ).toMatchObject({
      durationInMinutes: 30,
    })
  })
  test('a start with a fraction of a second is moved in every pass, because Slurm and the status have none', () => {
    const scheduledUpdate = { startTime: '2026-11-17T00:00:00.5Z', duration: '30m' }
    expect(wantedOf({ updateStrategy: { type: 'ScheduledUpdate', scheduledUpdate } }).updateStrategy).toMatchObject({
      startsAtMs: Date.parse('2026-11-17T00:00:00Z'),
    })
  })
  test('a drain on deletion is asked for by annotation', () => {
    const annotations = { 'nodeset.slinky.slurm.net/drain-on-delete': 'true' }
    expect(wantedOf({}, { annotations }).drainsOnDelete).toBe(true)
  })
})
