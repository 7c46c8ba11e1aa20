import { API_GROUP_VERSION, labelKeys, selectorLabels } from '@slurm-operator/api'
import type { KubeObject, Resource } from '@slurm-operator/kube'
import { absent, seen, type SlurmNode, type SlurmReader } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { CLUSTER, NAMESPACE } from '../simulation/objects.ts'
import type { Caches } from '../world/caches.ts'
import { refusal } from '../testing/still-server.ts'
import type { World } from '../world/world.ts'
import { aSlurmNode } from './gen.ts'
import { startActing } from './gen-acting.ts'

const broken = () => {
  throw new Error('cannot be read')
}

const ours = {
  apiVersion: API_GROUP_VERSION,
  kind: 'NodeSet',
  name: 'foo',
  uid: 'uid-of-NodeSet-foo',
  controller: true,
}
/** The worker foo-0, Ready on the Kube node n1, and nothing of Slurm noted on it. */
const worker = {
  ...{ apiVersion: 'v1', kind: 'Pod', spec: { hostname: 'foo-0', nodeName: 'n1' } },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  metadata: {
    ...{ name: 'foo-0', ownerReferences: [ours] },
    labels: { ...selectorLabels('worker', 'foo'), [labelKeys.scalingMode]: 'StatefulSet' },
  },
} as KubeObject
const machine = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } }
const objects = [worker, machine]
const updateStrategy = { type: 'OnDelete' } as const // its template is none of ours

/** What Slurm lists in every pass from now on. */
function listInSlurm({ slurm, clock }: World, records: readonly SlurmNode[]): void {
  const node: SlurmReader['node'] = (name) => {
    const record = records.find((one) => one.name === name)
    return record === undefined ? absent(clock.now()) : seen(record, clock.now())
  }
  const nodes = () => seen(records, clock.now())
  const reader = { node, nodes, wholeListAgeMs: () => 0, jobsOn: () => seen([], clock.now()) }
  Object.assign(slurm, { reader: () => reader })
}
const inSlurm = (name: string, state: string, nodeSetName: string) => {
  const comment = JSON.stringify({ namespace: NAMESPACE, podName: name, node: 'n1', nodeSetName, nodeSetUID: ours.uid })
  return aSlurmNode({ name, states: [state], comment })
}

describe('a whole pass prevents that', () => {
  test.each([
    { id: 'NS-053', cache: 'controllers' },
    { id: 'NS-213', cache: 'claims' },
    { id: 'NS-240, NS-470', cache: 'nodes' },
  ] as const)('$id: something is done although $cache cannot be read', async ({ cache }) => {
    const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: {} }]
    const { world, pass, requests } = startActing({ spec: { volumeClaimTemplates } })
    const unreadable: Caches[typeof cache] = world.caches[cache]
    Object.assign(unreadable, { get: broken, list: broken, by: broken })
    await expect(pass()).rejects.toThrow('cannot be read') // the loop tells it, and tries again later
    expect(requests()).toEqual([])
  })

  test('NS-061: a NodeSet that is gone is an error', async () => {
    const { world, pass, requests } = startActing()
    const key = { namespace: NAMESPACE, name: 'foo' }
    world.caches.nodeSets.deleted(key, world.caches.nodeSets.get(key)?.metadata.uid ?? '')
    expect([await pass(), requests()]).toEqual([{ kind: 'settled' }, []])
  })

  test('NS-104: a step that fails keeps the status from being written, or is forgotten over it', async () => {
    const { pass, requests } = startActing({
      refuse: (text) => (text.startsWith('create Pod') ? 'InternalError' : undefined),
    })
    expect(await pass()).toMatchObject({ kind: 'retry', errors: [{ message: /InternalError/ }] })
    expect(requests('status NodeSet')).toEqual(['status NodeSet foo'])
  })
})

describe('a pass that lacks something prevents that', () => {
  test('NS-262: nobody learns that there is no Controller, or workers are made without one', async () => {
    const { world, pass, told, requests, server } = startActing({ spec: { replicas: 2 } })
    const controller = world.caches.controllers.get({ namespace: NAMESPACE, name: CLUSTER })
    world.caches.controllers.deleted({ namespace: NAMESPACE, name: CLUSTER }, controller?.metadata.uid ?? '')
    for (let turn = 0; turn < 2; turn++) await pass()
    expect(told).toMatchObject([{ type: 'Warning', reason: 'ControllerRefFailed' }])
    expect(requests('create Pod')).toEqual([])
    const stalled = expect.objectContaining({ type: 'Stalled', status: 'True', reason: 'ControllerNotFound' })
    expect(server.find('NodeSet', { name: 'foo' })).toMatchObject({
      status: { conditions: expect.arrayContaining([stalled]) },
    })
  })

  test('NS-187: workers wait for the Service because the NodeSet cannot be read', async () => {
    const { world, pass, requests } = startActing({ objects, spec: { updateStrategy } })
    listInSlurm(world, [inSlurm('foo-0', 'ALLOCATED', 'foo')])
    const { client } = world
    const resource = (one: Resource<KubeObject>) => {
      const find = () => Promise.reject(new Error('the NodeSet cannot be read'))
      return { ...client.resource(one), ...(one.kind === 'NodeSet' && { find }) }
    }
    Object.assign(world, { client: { ...client, resource } })
    const error = { message: 'the NodeSet cannot be read' }
    expect(await pass()).toMatchObject({ kind: 'retry', errors: [error, error, error] })
    expect(requests().sort()).toEqual(['patch Pod foo-0', 'status NodeSet foo', 'status Pod foo-0'])
  })

  test('NS-185: the disruption budget of other NodeSets goes because one wants no protection, or its pods are labelled', async () => {
    const spec = { workloadDisruptionProtection: false, replicas: 2, updateStrategy }
    const { world, pass, requests, server } = startActing({ objects, spec })
    listInSlurm(world, [inSlurm('foo-0', 'ALLOCATED', 'foo')])
    for (let turn = 0; turn < 2; turn++) await pass()
    expect([server.list('PodDisruptionBudget').length, requests('delete')]).toEqual([1, []])
    const protectedPods = server
      .list('Pod')
      .map(({ metadata }) => [metadata.name, metadata.labels?.[labelKeys.podProtect]])
    expect(protectedPods).toEqual([
      ['foo-0', undefined],
      ['foo-1', undefined],
    ])
  })
})

describe('writing the status prevents that', () => {
  test('NS-467: a refused status is not told, or keeps the conditions and labels of pods from being written', async () => {
    const refuse = (text: string) => (text === 'status NodeSet foo' ? 'InternalError' : undefined)
    const { world, pass, requests } = startActing({ objects, spec: { updateStrategy }, refuse })
    listInSlurm(world, [inSlurm('foo-0', 'ALLOCATED', 'foo')])
    await expect(pass()).rejects.toThrow('InternalError') // the loop tells it, and tries again later
    const pods = requests().filter((text) => / Pod /.test(text))
    expect(pods.sort()).toEqual(['patch Pod foo-0', 'status Pod foo-0'])
  })

  test('NS-454: Slurm nodes of others count as ours', async () => {
    const { world, pass, server } = startActing({ objects, spec: { updateStrategy } })
    const others = [inSlurm('bar-0', 'ALLOCATED', 'bar'), aSlurmNode({ name: 'baz-0', states: ['DOWN', 'DRAIN'] })]
    listInSlurm(world, [inSlurm('foo-0', 'IDLE', 'foo'), ...others])
    await pass()
    expect(server.find('NodeSet', { name: 'foo' })).toMatchObject({
      status: { slurmIdle: 1, slurmAllocated: 0, slurmDown: 0, slurmDrain: 0, slurmNodes: '0/1/0/1' },
    })
  })

  test('NS-464: it is written again and again because an empty list is not the same as none', async () => {
    const { world, pass, clock, put, requests } = startActing()
    const turns = async (count: number) => {
      const before = requests('status').length
      for (let turn = 0; turn < count; turn++) {
        await pass()
        await clock.advance(1_500)
      }
      return requests('status').length - before
    }
    expect([await turns(3), await turns(3)]).toEqual([2, 0]) // it is being made, then it starts
    const { status, ...rest } = world.caches.nodeSets.get({ namespace: NAMESPACE, name: 'foo' }) ?? {}
    const { waiting: _waiting, ...others } = status ?? {}
    put({ ...rest, status: others } as unknown as KubeObject) // as the reference leaves it
    expect([await turns(1), await turns(3)]).toEqual([1, 0])
  })

  test.each([
    { name: 'NS-465: somebody who was faster', reason: 'Conflict' },
    { name: 'NS-466: the end of the NodeSet', reason: 'NotFound' },
  ] as const)('$name is an error', async ({ reason }) => {
    let refused = 0
    const refuse = (text: string) => (text.startsWith('status') && refused++ === 0 ? refusal(reason) : undefined)
    const { pass, clock, requests } = startActing({ refuse })
    expect((await pass()).kind).toBe('look-again')
    await clock.advance(1_500)
    await pass()
    expect(requests('status NodeSet')).toHaveLength(2)
  })
})
