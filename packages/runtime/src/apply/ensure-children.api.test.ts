import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  configMapResource,
  createClient,
  customResourceDefinitionResource,
  deploymentResource,
  loadSettings,
  namespaceResource,
  secretResource,
  serviceResource,
  statefulSetResource,
  type Client,
  type KubeObject,
  type Live,
  type Resource,
} from '@slurm-operator/kube'
import { startApiServer, type ApiServer } from '@slurm-operator/local'
import { buildRecreateStep, carryOutChildren, type CarryOutOptions, type ChildResult } from './carry-out.ts'
import type { LiveChild, ParentObject } from './child.ts'
import { ensureChildren } from './ensure-children.ts'
import { thingDefinition, thingResource } from './gen.ts'
import { asCached, kindOn, untilServed } from './gen-server.ts'
import { NoOpMemory } from './no-op-memory.ts'

const fieldManager = 'engine'
const erased = (resource: unknown) => resource as Resource<KubeObject>
const resources = [
  configMapResource,
  secretResource,
  serviceResource,
  statefulSetResource,
  deploymentResource,
  thingResource,
].map(erased)
const [maps, secrets, services, sets, deployments, things] = resources as [
  Resource<KubeObject>,
  Resource<KubeObject>,
  Resource<KubeObject>,
  Resource<KubeObject>,
  Resource<KubeObject>,
  Resource<KubeObject>,
]
let api: ApiServer
let client: Client
let namespace: string
let owner: ParentObject
let memory: NoOpMemory
let count = 0

beforeAll(async () => {
  api = await startApiServer()
  client = createClient(await loadSettings({ kubeconfig: api.kubeconfig }))
  await client.resource(customResourceDefinitionResource).create(thingDefinition)
  await untilServed(() => client.resource(thingResource).list())
})
beforeEach(async () => {
  namespace = `n-${++count}`
  memory = new NoOpMemory()
  await client
    .resource(namespaceResource)
    .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  owner = await client.resource(maps).create(object(maps, 'owner'))
})
afterAll(async () => {
  client?.close()
  await api?.stop()
})

function object({ group, version, kind }: Resource<KubeObject>, name: string, content: object = {}): KubeObject {
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata: { name, namespace }, ...content }
}

const template = {
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'main', image: 'i', ports: [{ containerPort: 80 }] }] },
}
const workload = (more: object = {}) => ({ spec: { selector: { matchLabels: { app: 'x' } }, template, ...more } })
const allKinds = () => [
  object(maps, 'config', { data: { a: '1', b: '2' } }),
  object(secrets, 'keys', { stringData: { key: 's3cret' } }),
  object(services, 'front', { spec: { selector: { app: 'x' }, ports: [{ port: 80, targetPort: 'http' }] } }),
  object(sets, 'set', workload({ serviceName: 'front', replicas: 0 })),
  object(deployments, 'web', workload({ replicas: 1, strategy: { type: 'RollingUpdate' } })),
  object(things, 'thing', { spec: { keyed: [{ name: 'a' }], set: ['x'], atomic: [{ note: '' }], on: false } }),
]

/** The engine on a cache that was filled a moment ago. */
async function optionsNow(): Promise<CarryOutOptions> {
  const kinds = await Promise.all(
    resources.map(async (resource) => {
      const { items } = await client.resource(resource).list({ namespace })
      const cache = new Map(
        items.map((item): [string, LiveChild] => [item.metadata.name, asCached(item, fieldManager)]),
      )
      return kindOn(client, resource, cache)
    }),
  )
  return { owner, fieldManager, knownNoOps: memory, kinds }
}

const ensure = async (wanted: readonly KubeObject[]) => ensureChildren(wanted, await optionsNow())
const words = (results: readonly ChildResult[]) =>
  results.map(({ kind, step }) => `${kind} ${step.do} ${step.key.name}`)
const acted = (results: readonly ChildResult[]) => words(results).filter((word) => !word.startsWith('idle'))
const read = (resource: Resource<KubeObject>, name: string): Promise<Live<KubeObject>> =>
  client.resource(resource).get({ namespace, name })
const replace = (list: readonly KubeObject[], one: KubeObject) =>
  list.map((each) => (each.kind === one.kind ? one : each))

describe('the engine on a real server', () => {
  test('makes everything, and then does nothing at all', async () => {
    expect((await ensure(allKinds())).map(({ kind }) => kind)).toEqual(['done', 'done', 'done', 'done', 'done', 'done'])
    // A keyed element whose key the CRD defaults is learned, not known: one apply more, and then never again.
    expect(acted(await ensure(allKinds()))).toEqual(['done apply thing'])
    expect(acted(await ensure(allKinds()))).toEqual([])
  })

  test('sends exactly the one object in which a field differs', async () => {
    await ensure(allKinds())
    await ensure(allKinds())
    const changed = object(deployments, 'web', workload({ replicas: 2, strategy: { type: 'RollingUpdate' } }))
    expect(acted(await ensure(replace(allKinds(), changed)))).toEqual(['done apply web'])
    expect(await read(deployments, 'web')).toMatchObject({ spec: { replicas: 2 } })
  })

  test('puts back what somebody changed, and lets alone what somebody added', async () => {
    await ensure(allKinds())
    await ensure(allKinds())
    const key = { namespace, name: 'config' }
    await client
      .resource(maps)
      .patch(key, { type: 'merge', body: { data: { theirs: 'x' }, metadata: { labels: { theirs: 'x' } } } })
    expect(acted(await ensure(allKinds()))).toEqual([])
    await client.resource(maps).patch(key, { type: 'merge', body: { data: { a: 'spoiled', b: null } } })
    expect(acted(await ensure(allKinds()))).toEqual(['done apply config'])
    expect(await read(maps, 'config')).toMatchObject({ data: { a: '1', b: '2', theirs: 'x' } })
  })

  test('takes away what it set before and no longer wants', async () => {
    await ensure(allKinds())
    await ensure(allKinds())
    expect(acted(await ensure(replace(allKinds(), object(maps, 'config', { data: { a: '1' } }))))).toEqual([
      'done apply config',
    ])
    expect(await read(maps, 'config')).toMatchObject({ data: { a: '1' } })
    expect(await read(maps, 'config')).not.toHaveProperty('data.b')
  })

  test('deletes children that are no longer wanted, and nothing else', async () => {
    await ensure(allKinds())
    await client.resource(maps).create(object(maps, 'users-own'))
    const results = await ensure(allKinds().filter(({ kind }) => kind !== 'ConfigMap' && kind !== 'Service'))
    expect(acted(results).filter((word) => word.includes('delete'))).toEqual([
      'done delete config',
      'done delete front',
    ])
    const { items } = await client.resource(maps).list({ namespace })
    expect(items.map(({ metadata }) => metadata.name).sort()).toEqual(['owner', 'users-own'])
  })

  test('does not delete what somebody just set free', async () => {
    await ensure([object(maps, 'config')])
    const stale = await optionsNow()
    await client
      .resource(maps)
      .patch({ namespace, name: 'config' }, { type: 'merge', body: { metadata: { ownerReferences: null } } })
    expect(words(await ensureChildren([], stale))).toEqual(['failed delete config'])
    expect((await read(maps, 'config')).metadata.deletionTimestamp).toBeUndefined()
  })
})

describe('what is not ours', () => {
  test('is refused and stays as it is', async () => {
    await client.resource(maps).create(object(maps, 'config', { data: { a: 'theirs' } }))
    const [result] = await ensure([object(maps, 'config', { data: { a: 'ours' } })])
    expect(result).toMatchObject({ kind: 'refused', step: { refusal: { reason: 'NotOurs', owner: undefined } } })
    expect(await read(maps, 'config')).toMatchObject({ data: { a: 'theirs' } })
  })
  test('is refused although the cache does not know it yet', async () => {
    const stale = await optionsNow()
    await client.resource(maps).create(object(maps, 'config', { data: { a: 'theirs' } }))
    const [result] = await ensureChildren([object(maps, 'config', { data: { a: 'ours' } })], stale)
    expect(result).toMatchObject({ kind: 'refused' })
    expect(await read(maps, 'config')).toMatchObject({ data: { a: 'theirs' } })
  })
  test('is not changed when it took the name of what we compared', async () => {
    await ensure([object(maps, 'config', { data: { a: '1' } })])
    const stale = await optionsNow()
    await client.resource(maps).delete({ namespace, name: 'config' })
    await client.resource(maps).create(object(maps, 'config', { data: { a: 'theirs' } }))
    const [result] = await ensureChildren([object(maps, 'config', { data: { a: '2' } })], stale)
    expect(result).toMatchObject({ kind: 'failed' })
    expect(await read(maps, 'config')).toMatchObject({ data: { a: 'theirs' } })
  })
  test('is not made again in the place of what we compared', async () => {
    await ensure([object(maps, 'config', { data: { a: '1' } })])
    const stale = await optionsNow()
    await client.resource(maps).delete({ namespace, name: 'config' })
    const [result] = await ensureChildren([object(maps, 'config', { data: { a: '2' } })], stale)
    expect(result).toMatchObject({ kind: 'failed', error: { reason: 'Conflict' } })
  })
})

describe('what the server refuses', () => {
  const refusals = [
    {
      name: 'StatefulSet',
      before: () => object(sets, 'a', workload({ serviceName: 'x' })),
      after: () => object(sets, 'a', workload({ serviceName: 'y', replicas: 3 })),
      fields: ['spec.serviceName'],
    },
    {
      name: 'Service',
      before: () => object(services, 'a', { spec: { ports: [{ port: 80 }] } }),
      after: () => object(services, 'a', { spec: { clusterIP: 'None', ports: [{ port: 80 }] } }),
      fields: ['spec.clusterIPs[0]'],
    },
    {
      name: 'ConfigMap',
      before: () => object(maps, 'a', { immutable: true, data: { a: '1' } }),
      after: () => object(maps, 'a', { immutable: true, data: { a: '2' } }),
      fields: ['data.a'],
    },
    {
      name: 'Thing',
      before: () => object(things, 'a', { spec: { fixed: 'x' } }),
      after: () => object(things, 'a', { spec: { fixed: 'y' } }),
      fields: ['spec.fixed'],
    },
  ]
  test.each(refusals)('$name: the fields that cannot be changed are named', async ({ before, after, fields }) => {
    await ensure([before()])
    const [result] = await ensure([after()])
    expect(result).toMatchObject({ kind: 'immutable', fields })
  })

  test('a StatefulSet is made anew on request', async () => {
    await ensure([object(sets, 'a', workload({ serviceName: 'x' }))])
    const wanted = [object(sets, 'a', workload({ serviceName: 'y' }))]
    const [result] = await ensure(wanted)
    if (result?.kind !== 'immutable') throw new Error('it must be immutable')
    const [deleted] = await carryOutChildren([buildRecreateStep(result, 'Background')], await optionsNow())
    expect(deleted).toMatchObject({ kind: 'done' })
    expect(words(await ensure(wanted))).toEqual(['done create a'])
  })

  test('an object that does not fit its schema waits for a person', async () => {
    const results = await ensure([
      object(deployments, 'a', workload({ replicas: 'many' })),
      object(deployments, 'b', { spec: {} }),
    ])
    expect(results).toMatchObject([{ kind: 'invalid', fields: ['spec.replicas'] }, { kind: 'invalid' }])
  })
})

test('a default that no longer fits does not stand in the way', async () => {
  await ensure(allKinds())
  const recreate = object(deployments, 'web', workload({ replicas: 1, strategy: { type: 'Recreate' } }))
  await ensure(replace(allKinds(), recreate))
  expect(await read(deployments, 'web')).toMatchObject({ spec: { strategy: { type: 'Recreate' } } })
  expect(acted(await ensure(replace(allKinds(), recreate)))).toEqual([])
})

test('a value that the server replaces by its own costs one apply, not one in each pass', async () => {
  const probe = { httpGet: { port: 80, path: '' }, periodSeconds: 0 }
  const spec = { containers: [{ name: 'main', image: 'i', livenessProbe: probe }] }
  const wanted = [object(deployments, 'web', workload({ template: { ...template, spec } }))]
  await ensure(wanted)
  expect(acted(await ensure(wanted))).toEqual(['done apply web'])
  expect(acted(await ensure(wanted))).toEqual([])
})

test('an object that another program made and we own is taken over once', async () => {
  const reference = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'owner',
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  }
  const theirs = object(maps, 'config', { data: { a: '1' } })
  await client.resource(maps).create({ ...theirs, metadata: { ...theirs.metadata, ownerReferences: [reference] } })
  expect(acted(await ensure([theirs]))).toEqual(['done apply config'])
  expect(acted(await ensure([theirs]))).toEqual([])
})
