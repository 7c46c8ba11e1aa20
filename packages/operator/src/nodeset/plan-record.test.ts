import { annotationKeys } from '@slurm-operator/api'
import {
  absent,
  isDrained,
  isReasonOurs,
  isUnresponsive,
  REASON_PREFIX,
  seen,
  SlurmError,
  unknown,
  type NodeUpdate,
  type SlurmConnection,
  type SlurmNode,
} from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { aKubeNode, aPicture, aSlurmNode, aWorker, infoFor, inShort, NOW, slurmSays, stepsThat } from './gen.ts'
import { startActing } from './gen-acting.ts'
import type { KubeNode, Worker } from './picture.ts'
import { findLeftovers, printPodInfo, readPodInfo } from './picture-pod-info.ts'
import { planNodeSet } from './plan.ts'
import type { Plan, RecordChange } from './steps.ts'

const HOST = 'n1'
const ours = infoFor('foo-0', HOST)

function planFor(record: Partial<SlurmNode>, node: Partial<KubeNode> = {}, worker: Partial<Worker> = {}): Plan {
  const slurmNode = seen(aSlurmNode({ comment: ours, ...record }), NOW)
  const foo = aWorker('foo-0', { nodeName: HOST, slurmNode, ...worker })
  return planNodeSet(aPicture({ workers: [foo], kubeNodes: [aKubeNode(HOST, node)], wanted: { replicas: 1 } }))
}

const changes = (plan: Plan): RecordChange[] => stepsThat(plan, 'update-slurm-node').map(({ change }) => change)
const place = (text: string): Partial<KubeNode> => ({ annotations: { [annotationKeys.topology]: text } })
const features = (text: string): Partial<KubeNode> => ({ annotations: { [annotationKeys.features]: text } })

const silentByUs = { states: ['DOWN', 'NOT_RESPONDING'], reason: `${REASON_PREFIX}x` }

describe('which pod it is', () => {
  test('NS-407: the five keys in their order', () => {
    expect(changes(planFor({ comment: '' }))).toEqual([{ comment: ours }])
    expect(Object.keys(JSON.parse(ours) as object)).toEqual([
      'namespace',
      'podName',
      'node',
      'nodeSetName',
      'nodeSetUID',
    ])
  })
  test('NS-408: nothing is written twice', () => expect(planFor({}).steps).toEqual([]))
  test('NS-409: a worker that came back on another Kube node is noted, and returned to service', () => {
    const reason = `${REASON_PREFIX}Pod is terminating`
    const plan = planFor({ comment: infoFor('foo-0', 'n0'), states: ['DOWN'], reason })
    expect(inShort(plan)).toEqual(['resume foo-0', 'set-pod-conditions foo-0', 'update-slurm-node foo-0'])
  })
  test('NS-410, WP-31: one that came back on the same Kube node stays down', () => {
    expect(inShort(planFor({ states: ['DOWN'], reason: `${REASON_PREFIX}Pod is terminating` }))).toContain(
      'resume foo-0',
    )
  })
  test('it stays down by our own words, because Slurm never asks a node that is DOWN whether it responds', () => {
    expect(inShort(planFor(silentByUs))).toContain('resume foo-0')
  })
  test('WP-31: it stays DOWN for ever, because the words by which we know it as ours went with its drain', () => {
    expect(inShort(planFor({ states: ['DOWN'], reason: '' }))).toContain('resume foo-0')
    expect(inShort(planFor({ states: ['DOWN', 'DRAIN'], reason: '' }))).toContain('resume foo-0')
  })
  test('it stays DOWN for ever after its size was mended, by the words with which Slurm refused it before', () => {
    expect(inShort(planFor({ states: ['DOWN'], reason: 'Low RealMemory' }))).toContain('resume foo-0')
  })
  test.each([
    ['down and refused', { states: ['DOWN', 'INVALID_REG'], reason: 'Low RealMemory' }, {}],
    ['drained, and Slurm has put its words there', { states: ['DOWN', 'DRAIN'], reason: 'Low RealMemory' }, {}],
    ['down by an administrator', { states: ['DOWN'], reason: 'broken' }, {}],
    ['down and silent since a former slurmd', silentByUs, { runningSinceMs: NOW - 60_000 }],
    ['down and silent, nobody knows since when', { ...silentByUs, slurmdStartedAtMs: undefined }, {}],
    ['down and not ready', { states: ['DOWN'], reason: `${REASON_PREFIX}x` }, { readySinceMs: undefined }],
    ['not down at all', { states: ['IDLE'], reason: `${REASON_PREFIX}x`, comment: infoFor('foo-0', 'n0') }, {}],
  ])('WP-31: a node is returned to service although it is %s', (_name, record, worker) => {
    expect(stepsThat(planFor(record, {}, worker), 'resume')).toEqual([])
  })
  test('NS-411: an empty info', () => {
    expect(printPodInfo({ namespace: '', podName: '', node: '' })).toBe('{"namespace":"","podName":"","node":""}')
  })
  test.each(['', 'plain text', '[]', '{"a":1}'])('NS-412: the comment %j is no info', (comment) => {
    expect(readPodInfo(comment)).toBeUndefined()
  })
  test('WP-31: an administrator’s comment is overwritten', () => {
    expect(changes(planFor({ comment: 'do not touch, Anna' }))).toEqual([])
  })
  test('WP-46: two NodeSets of the same name overwrite each other’s notes', () => {
    const other = { comment: ours.replace('default', 'other'), address: '10.0.0.9' }
    const plan = planFor(other, {}, { podIp: '10.0.0.1' })
    expect(changes(plan)).toEqual([])
    expect(plan.problems).toMatchObject([{ reason: 'SlurmNameTaken', needsPerson: true }])
    expect(changes(planFor({ ...other, address: '10.0.0.1' }, {}, { podIp: '10.0.0.1' }))).toEqual([{ comment: ours }])
  })
  test('NS-415: the record of a worker, or one without our note, is taken for one that was left behind', () => {
    const record = (name: string, comment: string): SlurmNode => aSlurmNode({ name, comment })
    const nodes = seen([record('foo-0', ours), record('foo-9', infoFor('foo-9', 'x')), record('baz-0', '')], NOW)
    const leftovers = findLeftovers(nodes, { namespace: 'default', name: 'foo' }, [{ slurmName: 'foo-0' }])
    expect(leftovers.kind === 'seen' && leftovers.value.map(({ name }) => name)).toEqual(['foo-9'])
  })
})

describe('topology', () => {
  test('NS-435: a pod without a place has none', () => {
    const plan = planFor({ topology: 'x:y', comment: infoFor('foo-0', '') }, place('topo-block:b0'), { nodeName: '' })
    expect(changes(plan)).toEqual([])
  })
  test('NS-436: the place of the Kube node goes to the pod and to Slurm', () => {
    const plan = planFor({ topology: '' }, place('topo-block:b0'))
    expect(stepsThat(plan, 'patch-pod')).toMatchObject([
      { annotations: { [annotationKeys.topology]: 'topo-block:b0' } },
    ])
    expect(changes(plan)).toEqual([{ topology: 'topo-block:b0' }])
  })
  const noted = { annotations: { [annotationKeys.topology]: 'topo-block:b0' } }
  test('NS-437: nothing is written twice', () => {
    expect(planFor({ topology: 'topo-block:b0' }, place('topo-block:b0'), noted).steps).toEqual([])
  })
  test('NS-438: a new place is written, and the pod stays', () => {
    const plan = planFor({ topology: 'topo-block:b0' }, place('topo-block:b1'), noted)
    expect(inShort(plan)).toEqual(['patch-pod foo-0', 'update-slurm-node foo-0'])
  })
  test('WP-40: a place that is taken away stays in Slurm for ever, because Slurm refused once and the pod forgot it', () => {
    const plan = planFor({ topology: 'topo-block:b0' }, {}, noted)
    expect(plan.steps).toMatchObject([
      { do: 'update-slurm-node', change: { topology: '' }, chain: 'slurm/foo-0/topology' },
      { do: 'patch-pod', annotations: { [annotationKeys.topology]: null }, chain: 'slurm/foo-0/topology' },
    ])
  })
  test.each<[string, Partial<Worker>]>([
    ['Slurm does not list it', { slurmNode: absent(NOW) }],
    ['Slurm is silent', { slurmNode: unknown('unreachable') }],
  ])('WP-40: the same, because %s', (_name, slurm) => {
    expect(stepsThat(planFor({}, {}, { ...noted, ...slurm }), 'patch-pod')).toEqual([])
  })
  test.each(['', undefined])('a pod remembers for ever a place that Slurm does not have: %j', (topology) => {
    const plan = planFor({ topology }, {}, noted)
    expect(plan.steps).toMatchObject([{ do: 'patch-pod', annotations: { [annotationKeys.topology]: null } }])
  })
  test('NS-439, WP-40: a static topology is fought', () => {
    expect(planFor({ topology: 'tree:leaf-1' }).steps).toEqual([])
  })
  test('NS-440, WP-25: a topology that Slurm refuses keeps the note of its worker, or another worker, from being written', async () => {
    const slurmNode = (name: string) => seen(aSlurmNode({ name, topology: '', comment: '' }), NOW)
    const workers = [0, 1].map((n) => aWorker(`foo-${n}`, { nodeName: HOST, slurmNode: slurmNode(`foo-${n}`) }))
    const picture = aPicture({ workers, kubeNodes: [aKubeNode(HOST, place('topo-block:b0'))] })
    const steps = stepsThat(planNodeSet(picture), 'update-slurm-node')
    const error = new SlurmError('refused', 'POST /node/foo-0', 'no such block')
    const updateNodes = async (names: readonly string[], { topology }: NodeUpdate) => {
      const isRefused = (name: string): boolean => topology !== undefined && name === 'foo-0'
      const failed = names.filter(isRefused).map((name) => ({ name, error }))
      return { done: names.filter((name) => !isRefused(name)), missing: [], failed }
    }
    const { carryOut, told } = startActing()
    const results = await carryOut(steps, { connection: { client: { updateNodes } } as unknown as SlurmConnection })
    const whatBecame = results.map(({ kind, step }) => `${kind} ${step.chain}`)
    expect(whatBecame.sort()).toEqual([
      ...['done slurm/foo-0/info', 'done slurm/foo-1/info', 'done slurm/foo-1/topology'],
      'failed slurm/foo-0/topology',
    ])
    expect(told).toMatchObject([{ type: 'Warning', note: expect.stringContaining('no such block') }])
  })
  test('a Slurm that does not tell the topology is not written to again and again', () => {
    expect(changes(planFor({ topology: undefined }, place('topo-block:b0'), noted))).toEqual([])
  })
})

describe('features', () => {
  const both = (names: string[]): RecordChange => ({ features: names, activeFeatures: names })
  const with_ = (names: string[]): Partial<SlurmNode> => ({ features: names, activeFeatures: names })
  test.each([
    ['NS-441', 'nn-75,GPU', ['foo'], ['foo', 'k8s/GPU', 'k8s/nn-75']],
    ['NS-443', '', ['foo', 'k8s/stale'], ['foo']],
    ['NS-444', 'location=us-east-2,nn-a', ['foo'], ['foo', 'k8s/location=us-east-2', 'k8s/nn-a']],
    ['NS-446', ' a ,,a, b', [], ['k8s/a', 'k8s/b']],
  ])('%s: "%s" on %j', (_id, text, current, wanted) => {
    expect(changes(planFor(with_(current), features(text)))).toEqual([both(wanted)])
  })
  test('NS-442: none wanted, none there', () => expect(planFor(with_(['foo'])).steps).toEqual([]))
  test('NS-445: active and available ones differ', () => {
    const record = { features: ['foo', 'mig=on', 'mig=off', 'k8s/old'], activeFeatures: ['foo', 'mig=on', 'k8s/old'] }
    expect(changes(planFor(record, features('nn-a')))).toEqual([
      { features: ['foo', 'mig=on', 'mig=off', 'k8s/nn-a'], activeFeatures: ['foo', 'mig=on', 'k8s/nn-a'] },
    ])
  })
  test('NS-447: another order is no change', () => {
    expect(planFor(with_(['k8s/b', 'foo', 'k8s/a']), features('a,b')).steps).toEqual([])
  })
  test('NS-448: no record, no call', () => {
    expect(stepsThat(planFor({}, features('a'), { slurmNode: absent(NOW) }), 'update-slurm-node')).toEqual([])
  })
  test('NS-450: by the host name of a daemon', () => {
    const slurmNode = seen(aSlurmNode({ name: 'dnode', comment: infoFor('ds-x', HOST) }), NOW)
    const worker = aWorker('ds-x', { mode: 'DaemonSet', hostname: 'dnode', nodeName: HOST, slurmNode })
    const kubeNodes = [
      aKubeNode(HOST, { annotations: { ...features('a').annotations, [annotationKeys.hostnameOverride]: 'dnode' } }),
    ]
    const plan = planNodeSet(aPicture({ workers: [worker], kubeNodes, wanted: { scalingMode: 'DaemonSet' } }))
    expect(stepsThat(plan, 'update-slurm-node')).toMatchObject([{ slurmName: 'dnode', change: both(['k8s/a']) }])
  })
})

describe('words about Slurm nodes', () => {
  test.each([
    ...(['IDLE', 'MIXED', 'DOWN'] as const).map((state) => ['NS-400', [state], 'no'] as const),
    ['NS-401', ['IDLE', 'DRAIN'], 'yes'],
    ['NS-401', ['DOWN', 'DRAIN'], 'yes'],
    ['NS-402', ['ALLOCATED', 'DRAIN'], 'no'],
    ['NS-402', ['MIXED', 'DRAIN'], 'no'],
    ['NS-402', ['IDLE', 'DRAIN', 'COMPLETING'], 'no'],
    ['NS-402', ['IDLE', 'DRAIN', 'UNDRAIN'], 'no'],
  ] as const)('%s: {%s} is drained: %s', (_id, states, answer) => expect(isDrained(slurmSays(states))).toBe(answer))
  test.each([
    ['NS-403', ['DOWN', 'NOT_RESPONDING'], '', 'no'],
    ['NS-404', ['DOWN'], 'Not responding', 'yes'],
    ['NS-405', ['DOWN'], 'test', 'no'],
  ] as const)('%s: {%s} "%s" is unresponsive: %s', (_id, states, reason, answer) => {
    expect(isUnresponsive(slurmSays(states, { reason }))).toBe(answer)
  })
  test.each([
    ['', 'yes'],
    ['slurm-operator: foo', 'yes'],
    ['foo', 'no'],
    ['slurm-operator:foo', 'no'],
  ] as const)('NS-406: the reason "%s" is ours: %s', (reason, answer) => {
    expect(isReasonOurs(slurmSays(['IDLE'], { reason }))).toBe(answer)
  })
})
