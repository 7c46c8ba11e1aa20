import type { NodeSet } from '@slurm-operator/api'
import {
  configMapResource,
  createClientOn,
  podDisruptionBudgetResource,
  serviceResource,
  type Client,
  type KubeObject,
  type Resource,
} from '@slurm-operator/kube'
import { childKind, NoOpMemory, silentLogger, type ChildKind, type Happening } from '@slurm-operator/runtime'
import { createApiServer, createVirtualClock, type SimulatedApiServer } from '@slurm-operator/testkit'
import { describe, expect, test } from 'vitest'
import type { Kept } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import { act } from './act.ts'
import type { Acting } from './acting.ts'
import { aNodeSet, type SpecDifferences } from './gen-build.ts'
import { observeShared } from './observe-shared.ts'
import { OrderPace } from './order-pace.ts'
import type { Step } from './steps.ts'

/** A kind whose cache is never behind. */
function kindOn<T extends KubeObject>(server: SimulatedApiServer, client: Client, resource: Resource<T>): ChildKind {
  const api = client.resource(resource)
  const isOwned = ({ metadata }: KubeObject, uid: string) => metadata.ownerReferences?.some((one) => one.uid === uid)
  return childKind<T>({
    resource,
    find: (key) => server.find(resource, key),
    ownedBy: (uid) => server.all(resource).filter((object) => isOwned(object, uid)),
    read: (key, options) => api.find(key, options),
    apply: (object, options) => api.apply(object, options),
    patch: (key, patch, options) => api.patch(key, patch, options),
    delete: (key, options) => api.delete(key, options),
  })
}

/** These NodeSets, and a server on which each can have a pass over its objects besides the workers. */
async function startWith(...nodeSets: readonly Kept<NodeSet>[]) {
  const clock = createVirtualClock()
  const server = await createApiServer({ clock, namespaces: ['ns'] })
  const client = createClientOn(server.transport, { clock })
  const events: string[] = []
  const by = (_index: string, controller: string) =>
    nodeSets.filter(({ metadata, spec }) => `${metadata.namespace}/${spec.controllerRef.name}` === controller)
  const trouble: { reading?: Error } = {}
  const load = () => (trouble.reading ? Promise.reject(trouble.reading) : Promise.resolve(undefined))
  const maps = kindOn(server, client, configMapResource)
  const find = async ({ name }: { name: string }) => nodeSets.find(({ metadata }) => metadata.name === name)
  const world = {
    client: { resource: () => ({ find }) },
    ...{ caches: { nodeSets: { by } }, configMaps: { load }, knownNoOps: new NoOpMemory(), log: silentLogger },
    workerChildKinds: [
      kindOn(server, client, serviceResource),
      kindOn(server, client, podDisruptionBudgetResource),
      { ...maps, read: (...call: Parameters<ChildKind['read']>) => load().then(() => maps.read(...call)) },
    ],
  } as unknown as World
  /** Compare, and put in order what is not: what became of it. */
  const pass = async (nodeSet: ReturnType<typeof aNodeSet>): Promise<string[]> => {
    const shared = await observeShared(nodeSet, world, {})
    const steps = shared.facts
      .filter(({ state }) => state !== 'current')
      .map(({ what, state }): Step => ({ do: 'apply-shared', what, chain: what, reason: state, because: state }))
    const results = await act({ steps }, {
      ...{ observed: { nodeSet, shared, picture: { workers: [] } }, world, log: silentLogger },
      pace: new OrderPace(() => 0),
      record: ({ reason, note }: Happening) => void events.push(`${reason}: ${note}`),
      signal: new AbortController().signal,
    } as unknown as Acting)
    return results.map(({ kind, step }) => `${kind} ${'what' in step ? step.what : ''}: ${step.because}`)
  }
  return { server, client, events, pass, trouble }
}

const at = (name: string) => ({ namespace: 'ns', name })

describe('looking after the objects besides the workers prevents that', () => {
  test('NS-182: a NodeSet owns the Service of another Slurm cluster', async () => {
    const [one, two] = [aNodeSet({}, { name: 'gpu-1' }), aNodeSet({}, { name: 'gpu-2' })]
    const other = aNodeSet({ controllerRef: { name: 'other' } }, { name: 'gpu-3' })
    const { server, pass } = await startWith(one, two, other)
    for (const nodeSet of [one, two, other]) await pass(nodeSet)
    const ownersOf = (name: string) =>
      server.find(serviceResource, at(name))?.metadata.ownerReferences?.map(({ name: owner }) => owner)
    expect(ownersOf('slurm-workers-slurm')).toEqual(['gpu-1', 'gpu-2'])
    expect(ownersOf('slurm-workers-other')).toEqual(['gpu-3'])
  })

  test('WP-33: a Service that somebody edited stays as it is', async () => {
    const nodeSet = aNodeSet()
    const { server, client, pass } = await startWith(nodeSet)
    expect(await pass(nodeSet)).toEqual(['done worker-service: missing', 'done disruption-budget: missing'])
    const right = server.find(serviceResource, at('slurm-workers-slurm'))?.spec
    const operations = [
      { op: 'replace', path: '/spec/ports/0/targetPort', value: 1 },
      { op: 'replace', path: '/spec/publishNotReadyAddresses', value: false },
    ]
    await client.resource(serviceResource).patch(at('slurm-workers-slurm'), { type: 'json', operations })
    expect(server.find(serviceResource, at('slurm-workers-slurm'))?.spec).not.toEqual(right)
    expect(await pass(nodeSet)).toEqual(['done worker-service: different'])
    expect(server.find(serviceResource, at('slurm-workers-slurm'))?.spec).toEqual(right)
    expect(await pass(nodeSet)).toEqual([])
  })

  test('NS-186: the number of a port of the Service stays as somebody edited it', async () => {
    const nodeSet = aNodeSet()
    const { server, client, pass } = await startWith(nodeSet)
    await pass(nodeSet)
    const right = server.find(serviceResource, at('slurm-workers-slurm'))?.spec
    const operations = [{ op: 'replace', path: '/spec/ports/0/port', value: 7000 }]
    await client.resource(serviceResource).patch(at('slurm-workers-slurm'), { type: 'json', operations })
    expect(await pass(nodeSet)).toEqual(['done worker-service: different'])
    expect(server.find(serviceResource, at('slurm-workers-slurm'))?.spec).toEqual(right)
    expect(await pass(nodeSet)).toEqual([])
  })

  const ssh: SpecDifferences = { ssh: { enabled: true, sssdConfRef: { name: 's', key: 'k' } } }

  test('NS-187: all else waits for one object that cannot be read', async () => {
    const nodeSet = aNodeSet(ssh, { name: 'gpu-1' })
    const { server, pass, trouble } = await startWith(nodeSet)
    trouble.reading = new Error('Cannot get ConfigMap: the server is busy.')
    expect((await pass(nodeSet)).sort()).toEqual([
      'done disruption-budget: missing',
      'done worker-service: missing',
      'failed ssh-config: missing',
    ])
    delete trouble.reading
    expect(await pass(nodeSet)).toEqual(['done ssh-config: missing'])
    expect(server.find(configMapResource, at('gpu-1-ssh-config'))).toBeDefined()
  })

  test('NS-189: nobody learns that sshd has a configuration, or it is told again in every pass', async () => {
    const nodeSet = aNodeSet(ssh, { name: 'gpu-1' })
    const { events, pass } = await startWith(nodeSet)
    for (const one of [nodeSet, nodeSet]) await pass(one)
    expect(events).toEqual(['CreateSucceeded: Created ConfigMap gpu-1-ssh-config.'])
  })

  test('NS-190: a ConfigMap that somebody made immutable fails every pass', async () => {
    const nodeSet = aNodeSet(ssh, { name: 'gpu-1' })
    const { server, client, events, pass } = await startWith(nodeSet)
    await pass(nodeSet)
    const close = { type: 'merge', body: { immutable: true, data: { sshd_config: 'mine' } } } as const
    await client.resource(configMapResource).patch(at('gpu-1-ssh-config'), close)
    expect(await pass(nodeSet)).toEqual([])
    expect(server.find(configMapResource, at('gpu-1-ssh-config'))).toMatchObject(close.body)
    expect(events.filter((event) => !event.startsWith('CreateSucceeded'))).toEqual([])
  })
})
