import { annotationKeys } from '@slurm-operator/api'
import { systemClock, type Client, type KubeObject } from '@slurm-operator/kube'
import { keyText } from '@slurm-operator/runtime'
import { describe, expect, test } from 'vitest'
import { stored } from '../testing/still-server.ts'
import { createCaches, type Caches } from '../world/caches.ts'
import type { World } from '../world/world.ts'
import { aPicture, aWorker, NOW } from './gen.ts'
import { planNodeSet } from './plan.ts'
import { nodeSetSources } from './watch.ts'

type Fields = Readonly<Record<string, unknown>>
type Kind = 'Pod' | 'Node' | 'NodeSet' | 'Controller' | 'Secret'

const cacheOf: Readonly<Record<Kind, keyof Caches>> = {
  ...{ Pod: 'pods', Node: 'nodes', NodeSet: 'nodeSets', Controller: 'controllers', Secret: 'secretNames' },
}

/** Caches that no server fills, the sources of the loop on them, and the keys that were woken, each once: as in a queue. */
async function startWatching(objects: readonly KubeObject[] = []) {
  const client = { resource: () => ({}), metadata: () => ({}) } as unknown as Client
  const caches = createCaches({ client, clock: systemClock, random: Math.random })
  for (const cache of Object.values(caches)) Object.assign(cache, { synced: async () => {} })
  let version = 1
  const put = ({ metadata, ...object }: KubeObject) => {
    const versioned = stored({ ...object, metadata: { resourceVersion: String(++version), ...metadata } }, 'default')
    caches[cacheOf[object.kind as Kind]].wrote(versioned as never)
  }
  const remove = (object: KubeObject) => {
    const { metadata } = stored(object, 'default')
    caches[cacheOf[object.kind as Kind]].deleted(metadata, metadata.uid)
  }
  for (const object of objects) put(object)
  const woken = new Set<string>()
  const slurm = { subscribe: () => () => {} }
  const world = { caches, slurm, propagatedConditions: ['GPUProblem'] } as unknown as World
  const never = new AbortController().signal
  for (const source of nodeSetSources(world)) await source.start((key) => void woken.add(keyText(key)), never)
  woken.clear()
  const after = (change: () => void) => {
    woken.clear()
    change()
    return [...woken].sort()
  }
  return { put: (object: KubeObject) => after(() => put(object)), remove: (o: KubeObject) => after(() => remove(o)) }
}

const made = (kind: Kind, name: string, { metadata = {}, ...rest }: Fields = {}): KubeObject => ({
  ...{ apiVersion: 'x/v1', kind, ...rest },
  metadata: { name, ...(metadata as object) },
})
const nodeSet = (name: string, spec: Fields = {}, metadata: Fields = {}) =>
  made('NodeSet', name, { metadata, spec: { controllerRef: { name: 'slurm' }, ...spec } })
const ownerOf = (name: string, uid = `uid-of-NodeSet-${name}`, kind = 'NodeSet') => ({
  ownerReferences: [{ apiVersion: 'slinky.slurm.net/v1beta1', kind, name, uid, controller: true }],
})
const labelsOf = (instance: string) => ({
  labels: { 'app.kubernetes.io/name': 'slurmd', 'app.kubernetes.io/instance': instance },
})
const pod = (name: string, metadata: Fields, rest: Fields = {}) =>
  made('Pod', name, { metadata, spec: {}, status: {}, ...rest })
const ready = (status: string) => ({ status: { phase: 'Running', conditions: [{ type: 'Ready', status }] } })

const foo = nodeSet('foo')
const owned = pod('foo-0', ownerOf('foo'))
const dying = { deletionTimestamp: '2026-01-02T00:00:00Z' }
const both = [foo, nodeSet('bar')]

describe('pods: it does not happen that', () => {
  test('NS-001: the loop does not hear of its own new pod', async () => {
    expect((await startWatching([foo])).put(owned)).toEqual(['default/foo'])
  })

  test('NS-002: a name that a pod of a former NodeSet had becomes free, and nobody hears of it', async () => {
    const former = pod('foo-0', ownerOf('foo', 'another'))
    const { put, remove } = await startWatching([foo])
    // It is not ours, so a pass does nothing about it; but while it is there, no foo-0 of ours can be made.
    expect([put(former), remove(former)]).toEqual([['default/foo'], ['default/foo']])
  })

  test('NS-003: the pod of a StatefulSet of the same name wakes us', async () => {
    const other = pod('foo-0', { ...ownerOf('foo', 'u1', 'StatefulSet'), ...labelsOf('foo') })
    expect((await startWatching([foo])).put(other)).toEqual([])
  })

  test('NS-004: a pod that was already ending when the operator started is never replaced', async () => {
    const { put, remove } = await startWatching([foo])
    expect(put(pod('foo-0', { ...ownerOf('foo'), ...dying }))).toEqual(['default/foo'])
    expect(remove(owned)).toEqual(['default/foo'])
  })

  test('NS-005: an orphan is adopted by nobody, or wakes everybody', async () => {
    expect((await startWatching(both)).put(pod('foo-0', labelsOf('foo')))).toEqual(['default/foo'])
  })

  test('NS-006, NS-013, NS-016: a pod that nobody owns and nobody wants costs passes', async () => {
    const { put, remove } = await startWatching(both)
    const stranger = pod('foo-0', {})
    expect([put(stranger), put({ ...stranger, ...ready('True') }), remove(stranger)]).toEqual([[], [], []])
  })

  test('NS-007: the same version, told again, costs a pass', async () => {
    const told = pod('foo-0', { ...ownerOf('foo'), resourceVersion: '100' })
    const { put } = await startWatching([foo])
    expect([put(told), put(told)]).toEqual([['default/foo'], []])
  })

  test('NS-008, NS-009: a pod begins to end, then is gone, and one of both is missed or counted twice', async () => {
    const { put, remove } = await startWatching([foo, owned])
    const ending = pod('foo-0', { ...ownerOf('foo'), ...dying, labels: { changed: 'too' } })
    // Nothing is counted: the answer to our own delete is in the cache before the pass goes on.
    expect([put(ending), remove(owned), remove(owned)]).toEqual([['default/foo'], ['default/foo'], []])
  })

  test('NS-010: whoever loses a pod to another does not hear of it', async () => {
    expect((await startWatching([...both, owned])).put(pod('foo-0', ownerOf('bar')))).toEqual([
      'default/bar',
      'default/foo',
    ])
  })

  test.each([
    { id: 'NS-011', minReadySeconds: 30, from: 30_000, to: 31_000 },
    { id: 'NS-011', minReadySeconds: 5, from: 5_000, to: 6_000 },
    { id: 'NS-012', minReadySeconds: 0, from: 30_000, to: Infinity },
  ])('$id: a Ready pod counts late with minReadySeconds $minReadySeconds', async ({ minReadySeconds, from, to }) => {
    const { put } = await startWatching([foo, { ...owned, ...ready('False') }])
    expect(put({ ...owned, ...ready('True') })).toEqual(['default/foo'])
    const workers = [aWorker('foo-0', { readySinceMs: NOW })]
    const { lookAgainInMs = Infinity } = planNodeSet(aPicture({ wanted: { replicas: 1, minReadySeconds }, workers }))
    expect(lookAgainInMs).toBeGreaterThanOrEqual(from)
    expect(lookAgainInMs).toBeLessThanOrEqual(to)
  })

  test('NS-014: an orphan gets our labels, and nobody hears of it', async () => {
    const { put } = await startWatching([...both, pod('foo-0', {})])
    expect(put(pod('foo-0', labelsOf('foo')))).toEqual(['default/foo'])
  })

  test('NS-015: a deletion that was learnt from a list only wakes nobody', async () => {
    expect((await startWatching([foo, owned])).remove(owned)).toEqual(['default/foo'])
  })
})

const at = (name: string, node: string, owner = 'foo') => pod(name, ownerOf(owner), { spec: { nodeName: node } })
const node = (name: string, { metadata, ...rest }: Fields = {}) =>
  made('Node', name, { metadata: { namespace: undefined, ...(metadata as object) }, spec: {}, ...rest })
const cordoned = { spec: { unschedulable: true } }
const condition = (status: string, more: Fields = {}) => ({
  status: { conditions: [{ type: 'GPUProblem', status, lastHeartbeatTime: '1', ...more }] },
})

describe('Kube nodes: it does not happen that', () => {
  test.each([
    { name: 'NS-017: a cordon is seen late', before: {}, now: cordoned },
    { name: 'NS-018: the end of a cordon is seen late', before: cordoned, now: {} },
    {
      ...{ name: 'NS-022: a new topology is seen late', before: {} },
      now: { metadata: { annotations: { [annotationKeys.topology]: 'topo-block:b1' } } },
    },
    { name: 'NS-023: a label is seen late', before: {}, now: { metadata: { labels: { gpu: 'yes' } } } },
    {
      ...{ name: 'NS-025: a condition that becomes a drain reason is seen late (WP-21)' },
      ...{ before: condition('False'), now: condition('True') },
    },
    {
      ...{ name: 'WP-21: a condition that is a drain reason says why, and that is seen late' },
      ...{ before: condition('True', { reason: 'Hot' }), now: condition('True', { reason: 'Hung' }) },
    },
    {
      ...{ name: 'WP-21: a condition that is a drain reason says more, and that is seen late' },
      ...{ before: condition('True', { message: 'gpu 1' }), now: condition('True', { message: 'gpu 1 and 2' }) },
    },
    {
      ...{ name: 'WP-21: a taint is seen late', before: {} },
      now: { spec: { taints: [{ key: 'a', effect: 'NoExecute' }] } },
    },
  ])('$name', async ({ before, now }) => {
    const { put } = await startWatching([...both, at('foo-0', 'n1'), at('bar-0', 'n2', 'bar'), node('n1', before)])
    expect(put(node('n1', now))).toEqual(['default/foo'])
  })

  test('NS-019: two workers on one Kube node are two passes', async () => {
    const { put } = await startWatching([foo, at('foo-0', 'n1'), at('foo-1', 'n1'), node('n1')])
    expect(put(node('n1', cordoned))).toEqual(['default/foo'])
  })

  test('NS-020: a Kube node without workers costs passes', async () => {
    expect((await startWatching([foo, at('foo-0', 'n2'), node('n1')])).put(node('n1', cordoned))).toEqual([])
  })

  test('NS-021: every heartbeat of every Kube node costs passes', async () => {
    const { put } = await startWatching([foo, at('foo-0', 'n1'), node('n1', condition('False'))])
    expect(put(node('n1', condition('False', { lastHeartbeatTime: '2' })))).toEqual([])
  })

  test('a condition of a Kube node that nobody passes on costs passes', async () => {
    const other = (status: string) => condition(status, { type: 'DiskPressure', message: status })
    const { put } = await startWatching([foo, at('foo-0', 'n1'), node('n1', other('False'))])
    expect(put(node('n1', other('True')))).toEqual([])
  })

  test('NS-024, WP-21: a new Kube node waits for the next poll to get its worker', async () => {
    const { put, remove } = await startWatching([foo, nodeSet('ds', { scalingMode: 'DaemonSet' })])
    expect([put(node('n9')), remove(node('n9'))]).toEqual([['default/ds'], ['default/ds']])
  })
})

const controller = (name: string, generation: number, metadata: Fields = {}) =>
  made('Controller', name, {
    metadata: { generation, ...metadata },
    spec: { slurmKeyRef: { name: 's1', key: 'a' }, jwtKeyRef: { name: 's2', key: 'b' } },
  })
const refers = (name: string, to: string, metadata: Fields = {}) =>
  nodeSet(name, { controllerRef: { name: to } }, metadata)

describe('Controllers and their keys: it does not happen that', () => {
  test('NS-026: NodeSets of a Controller do not hear of it, or those of another do', async () => {
    const { put, remove } = await startWatching([refers('a', 'c1'), refers('b', 'c1'), refers('c', 'c2')])
    const all = ['default/a', 'default/b']
    const changes = [put(controller('c1', 1)), put(controller('c1', 2)), remove(controller('c1', 2))]
    expect(changes).toEqual([all, all, all])
  })

  test('NS-027: a Controller of the same name in another namespace wakes us', async () => {
    const { put } = await startWatching([refers('a', 'c1', { namespace: 'x' })])
    expect(put(controller('c1', 1, { namespace: 'y' }))).toEqual([])
  })

  test('NS-028: a new key is seen late, or every Secret costs passes', async () => {
    const { put } = await startWatching([refers('a', 'c1'), controller('c1', 1)])
    const secrets = ['s1', 's2', 's3'].map((name) => put(made('Secret', name)))
    expect(secrets).toEqual([['default/a'], ['default/a'], []])
  })

  test('NS-029: what cannot be looked up ends the operator', async () => {
    const { put } = await startWatching() // no NodeSet is known, as before the first list
    const strange = [node('n1', cordoned), controller('c1', 1), made('Secret', 's1'), pod('foo-0', {})]
    expect(strange.flatMap((object) => put(object))).toEqual([])
  })
})
